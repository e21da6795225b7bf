import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { sql } from 'drizzle-orm'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { Pool } from 'pg'
import { fromPglite, type PgBoss } from 'pg-boss'
import type { Settings } from '../env.ts'
import { type Changes, listenEmbedded, listenPostgres } from './changes.ts'
import { migrateDatabase } from './migrate.ts'

/** The database, or a transaction on it. Queries take it as their first argument. */
export type Database = PgDatabase<PgQueryResultHKT>

/** A transaction: what takes it must be atomic with what its caller does. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/** The database as the job queue wants it. */
type JobDatabase = NonNullable<Exclude<ConstructorParameters<typeof PgBoss>[0], string>['db']>

/** An open database and what else needs its connection. */
export interface Connection {
  db: Database
  kind: 'embedded' | 'postgresql'
  /** The same database as the job queue speaks to it. */
  forJobs: JobDatabase
  /** Tells what this or another process changes. */
  changes: Changes
  /** Whether it answers; throws when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Where a database comes from: a ready PGlite is for tests, which clone one. */
export type DatabaseSource = Pick<Settings, 'DATABASE_URL' | 'DATABASE_POOL_SIZE' | 'DATA_DIR'> & {
  pglite?: PGlite
}

/** Extensions that PGlite must be created with. */
export const PGLITE_EXTENSIONS = { pg_trgm, unaccent }

/** Opens PostgreSQL by `DATABASE_URL`, else the embedded database in `DATA_DIR`, and brings its schema up to date. */
export async function openDatabase(source: DatabaseSource): Promise<Connection> {
  const connection = source.DATABASE_URL
    ? await openPostgres(source.DATABASE_URL, source.DATABASE_POOL_SIZE)
    : await openEmbedded(source)
  await migrateDatabase(connection)
  return connection
}

async function openPostgres(url: string, poolSize: number): Promise<Connection> {
  const pool = new Pool({ connectionString: url, max: poolSize, application_name: 'ondine' })
  // A connection that breaks while idle is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => undefined)
  // Both drivers are PgDatabase with their own raw-result types, which no query of ours reads.
  const db = drizzlePostgres(pool, { casing: 'snake_case' }) as unknown as Database
  const changes = await listenPostgres(url)
  return {
    db,
    changes,
    kind: 'postgresql',
    forJobs: {
      executeSql: async (text, values) => await pool.query(text, values),
    },
    ping: async () => void (await db.execute(sql`select 1`)),
    close: async () => {
      await changes.close()
      await pool.end()
    },
  }
}

async function openEmbedded(source: DatabaseSource): Promise<Connection> {
  const pglite = source.pglite ?? (await openPgliteFolder(join(source.DATA_DIR, 'database')))
  await pglite.waitReady
  const db = drizzlePglite(pglite, { casing: 'snake_case' }) as unknown as Database
  const changes = await listenEmbedded(pglite)
  return {
    db,
    changes,
    kind: 'embedded',
    forJobs: fromPglite(pglite),
    ping: async () => void (await db.execute(sql`select 1`)),
    close: async () => {
      await changes.close()
      await pglite.close()
    },
  }
}

async function openPgliteFolder(folder: string): Promise<PGlite> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return new PGlite(folder, { extensions: PGLITE_EXTENSIONS })
}

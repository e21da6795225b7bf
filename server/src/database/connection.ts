import type { PGlite } from '@electric-sql/pglite'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { PgBoss } from 'pg-boss'
import type { Settings } from '../env.ts'
import type { Changes } from './changes.ts'
import { migrateDatabase } from './migrate.ts'
import { openPostgres } from './postgres.ts'

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

/** Opens PostgreSQL by `DATABASE_URL`, else the embedded database in `DATA_DIR`, and brings its schema up to date. */
export async function openDatabase(source: DatabaseSource): Promise<Connection> {
  const connection = await open(source)
  await migrateDatabase(connection)
  return connection
}

/** Loads the embedded database only where it is used: it is large. */
async function open(source: DatabaseSource): Promise<Connection> {
  if (source.DATABASE_URL !== undefined)
    return await openPostgres(source.DATABASE_URL, source.DATABASE_POOL_SIZE)
  const { openEmbedded } = await import('./embedded.ts')
  return await openEmbedded(source)
}

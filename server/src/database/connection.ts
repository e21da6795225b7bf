import type { PGlite } from '@electric-sql/pglite'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { FastifyBaseLogger } from 'fastify'
import type { PgBoss } from 'pg-boss'
import { type Settings, withoutPassword } from '../env.ts'
import type { Changes } from './changes.ts'
import { migrateDatabase } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import type { ConnectedProcess } from './processes.ts'

/** The database, or a transaction on it. Queries take it as their first argument. */
export type Database = PgDatabase<PgQueryResultHKT>

/** A transaction. A function takes a `Transaction` when its writes must be atomic with the writes of its caller. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/** The database interface that the job queue needs. */
type JobDatabase = NonNullable<Exclude<ConstructorParameters<typeof PgBoss>[0], string>['db']>

/** An open database and the parts that need its connection. */
export interface Connection {
  db: Database
  kind: 'embedded' | 'postgresql'
  /** The same database, in the form that the job queue needs. */
  forJobs: JobDatabase
  /** Reports changes of the database by this and other processes. */
  changes: Changes
  /** Id of this process among those that are connected to the database (`processes.ts`). */
  processId: string
  /** Returns the processes that are connected to the database, the oldest connection first. */
  processes(): Promise<ConnectedProcess[]>
  /** Resolves when the database answers; rejects when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The settings that select a database. A test may pass a PGlite that is open already. */
export type DatabaseSource = Pick<Settings, 'DATABASE_URL' | 'DATABASE_POOL_SIZE' | 'DATA_DIR'> & {
  pglite?: PGlite
  /** Roles of this process, for other processes to see. */
  roles?: string
  /** Receives the loss and the return of the connection that reports changes. */
  log?: FastifyBaseLogger
}

/** Thrown when PostgreSQL cannot be opened. The message tells the operator what to do. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
}

/**
 * Opens PostgreSQL if `DATABASE_URL` is set, else the embedded database in `DATA_DIR`, and migrates its schema.
 *
 * @throws DatabaseError
 */
export async function openDatabase(source: DatabaseSource): Promise<Connection> {
  const connection = await open(source)
  await migrateDatabase(connection)
  return connection
}

/** Opens the database. Imports the embedded database only when it is used, because its module is large. */
async function open(source: DatabaseSource): Promise<Connection> {
  const { DATABASE_URL: url } = source
  if (url !== undefined)
    try {
      return await openPostgres(url, source.DATABASE_POOL_SIZE, source)
    } catch (error) {
      throw new DatabaseError(
        `The database at ${withoutPassword(url)} cannot be opened: ${reasonOf(error)}. Check DATABASE_URL.`,
        { cause: error },
      )
    }
  const { openEmbedded } = await import('./embedded.ts')
  return await openEmbedded(source)
}

/** Returns why no connection was made. A host with several addresses gives an error without a message. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return message || (code ?? String(error))
}

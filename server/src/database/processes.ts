import { randomInt } from 'node:crypto'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** First key of the advisory locks that represent processes. The second key is the id of the process. */
export const PROCESS_LOCK = 830_083

/** Largest key of an advisory lock with two keys. */
const MOST_IDS = 2 ** 31 - 1

/** A process that is connected to the database. */
export interface ConnectedProcess {
  /** Roles of the process, as `writeRoles` writes them; empty for a process that runs one command. */
  roles: string
  /** Time at which the process connected. */
  since: Date
  /** Whether this is the process that called `processes()`. */
  isThis: boolean
}

/** Returns a random id for this process. Another process is unlikely to have the same id. */
export function newProcessId(): string {
  return `${randomInt(1, MOST_IDS)}`
}

/**
 * Returns the SQL condition that the process with this id is connected to the database. The condition tests the
 * advisory lock of the process. PostgreSQL releases the lock when the connection closes, and the operating system
 * closes the connections of a killed process. So the condition turns false at once, unless the process's machine
 * or network fails.
 */
export function isConnected(processId: SQLWrapper): SQL {
  return sql`exists (
    select from pg_locks
    where locktype = 'advisory' and classid = ${PROCESS_LOCK}
      and objid::text = ${processId}
      and database = (select oid from pg_database where datname = current_database()))`
}

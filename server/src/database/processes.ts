import { randomInt } from 'node:crypto'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** First key of the advisory locks that represent processes. The second key is the id of the process. */
export const PROCESS_LOCK = 830_083

/** Largest key of an advisory lock with two keys. */
const MOST_IDS = 2 ** 31 - 1

/** A process that is connected to the database. */
export interface ConnectedProcess {
  /** Its roles, as `writeRoles` writes them; empty for a process that runs one command. */
  roles: string
  /** When it connected. */
  since: Date
  /** Whether it is the process that asks. */
  isThis: boolean
}

/** Returns an id for this process, which no other process is likely to have. */
export function newProcessId(): string {
  return `${randomInt(1, MOST_IDS)}`
}

/**
 * Returns the condition that the process with an id is connected to the database. The lock of a process ends with its
 * connection, and the system closes the connections of a process that is killed. So this turns false at once, unless
 * the machine of the process has failed, or its network.
 */
export function isConnected(processId: SQLWrapper): SQL {
  return sql`exists (
    select from pg_locks
    where locktype = 'advisory' and classid = ${PROCESS_LOCK}
      and objid::text = ${processId}
      and database = (select oid from pg_database where datname = current_database()))`
}

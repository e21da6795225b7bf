import { sql } from 'drizzle-orm'
import type { Database } from '../src/database/connection.ts'
import { rowsOf } from '../src/database/rows.ts'

/** Number of look-ups in an index, and of entries that they read. */
export interface IndexCounts {
  scans: number
  entries: number
}

/**
 * Returns the database's statistics of its indexes, by the name of the index.
 *
 * @param connections number of connections. Each connection counts separately, and its counts are flushed first
 */
export async function indexCounts(
  db: Database,
  connections: number,
): Promise<ReadonlyMap<string, IndexCounts>> {
  await tellCounts(db, connections)
  const rows = await rowsOf<{ name: string; scans: number; entries: number }>(
    db,
    sql`
      select indexrelname as name, idx_scan::float8 as scans, idx_tup_read::float8 as entries
      from pg_stat_user_indexes`,
  )
  return new Map(rows.map(({ name, ...counts }) => [name, counts]))
}

/** Flushes the counts of each connection. Uses all connections at the same time, so that none is missed. */
async function tellCounts(db: Database, connections: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_stat_force_next_flush()`)
    if (connections > 1) await tellCounts(db, connections - 1)
  })
}

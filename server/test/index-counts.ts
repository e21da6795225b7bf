import { sql } from 'drizzle-orm'
import type { Database } from '../src/database/connection.ts'
import { rowsOf } from '../src/database/rows.ts'

/** Number of look-ups in an index, and of entries read there. */
export interface IndexCounts {
  scans: number
  entries: number
}

/**
 * Returns the database's counts of its indexes, by their names.
 *
 * @param connections number of connections. Each has its own counts, which are flushed first
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

/** Flushes the counts of each connection. All connections are in use at the same time, so each one is flushed. */
async function tellCounts(db: Database, connections: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_stat_force_next_flush()`)
    if (connections > 1) await tellCounts(db, connections - 1)
  })
}

import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Database } from '../src/database/connection.ts'
import { rowsOf } from '../src/database/rows.ts'

/** Options of `vi.waitFor` for what a busy machine does late. Its default is one second. */
export const PATIENCE = { timeout: 20_000 }

/**
 * Waits until a statement that contains `words` waits for another transaction's lock. PostgreSQL only: the
 * embedded database runs one transaction after the other.
 */
export async function untilWaiting(db: Database, words: string): Promise<void> {
  await expect
    .poll(async () => {
      const waiting = await rowsOf(
        db,
        sql`select from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database() and query ilike ${`%${words}%`}`,
      )
      return waiting.length
    })
    .toBeGreaterThan(0)
}

import { sql } from 'drizzle-orm'
import type { Transaction } from '../../database/connection.ts'

/** Names the lock to the database; the only other one is that of migrations. */
const GUIDE_LOCK = 6_633_464

/**
 * Lets one transaction at a time write or remove what guides announce; it holds until the transaction ends. To be taken before anything
 * else is locked. What search knows of a title is written with its first showing and goes with its last: two transactions that do
 * not see each other would each leave that to the other, and wait for each other's words.
 */
export async function lockGuide(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${GUIDE_LOCK})`)
}

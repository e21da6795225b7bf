import { sql } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'

/** Id of the lock in the database; the only other one is that of migrations. */
const GUIDE_LOCK = 6_633_464

/**
 * Lets one transaction at a time write or remove programmes, until the transaction ends. It must be taken before any
 * other lock. The search entry of a title is written with its first showing and deleted with its last. Two concurrent
 * transactions would each leave that to the other, and block on each other's words.
 */
export async function lockGuide(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${GUIDE_LOCK})`)
}

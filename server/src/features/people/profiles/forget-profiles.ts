import { eq } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { profiles } from './profiles.table.ts'

/** Deletes the profiles of an account that is deleted, with all their data. */
export async function forgetProfiles(tx: Transaction, accountId: number): Promise<void> {
  await tx.delete(profiles).where(eq(profiles.accountId, accountId))
}

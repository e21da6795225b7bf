import { eq } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { profiles } from './profiles.table.ts'

/** Deletes the profiles of an account that is deleted, and with them all that they have stored. */
export async function forgetProfiles(tx: Transaction, accountId: number): Promise<void> {
  await tx.delete(profiles).where(eq(profiles.accountId, accountId))
}

import { eq } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { receipts } from './receipts.table.ts'

/**
 * Removes the buyer from the receipts and credit notes of a deleted account. The rest of each receipt stays, because
 * accounting must keep it.
 */
export async function forgetBuyer(tx: Transaction, accountId: number): Promise<void> {
  await tx.update(receipts).set({ buyer: [] }).where(eq(receipts.accountId, accountId))
}

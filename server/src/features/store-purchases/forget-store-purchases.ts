import { eq } from 'drizzle-orm'
import type { Transaction } from '../../database/connection.ts'
import { storePurchases } from './store-purchases.table.ts'

/** Parts the purchases of an account that is deleted from it. Only their buyer can end them in the store, and may link them to another account. */
export async function forgetStorePurchases(tx: Transaction, accountId: number): Promise<void> {
  await tx
    .update(storePurchases)
    .set({ accountId: null, checkAt: null })
    .where(eq(storePurchases.accountId, accountId))
}

import { and, eq, isNull, notExists } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { storePurchases, storeTransactions } from './store-purchases.table.ts'

/**
 * Unlinks subscriptions of app stores from a deleted account. The store continues to charge the buyer, so the
 * buyer may link the subscriptions to another account. One-time purchases stay linked to the deleted account. They
 * never end in the store, so another account could otherwise claim them.
 */
export async function forgetStorePurchases(tx: Transaction, accountId: number): Promise<void> {
  const boughtOnce = tx
    .select({ id: storeTransactions.id })
    .from(storeTransactions)
    .where(and(eq(storeTransactions.purchaseId, storePurchases.id), isNull(storeTransactions.endsAt)))
  await tx
    .update(storePurchases)
    .set({ accountId: null, checkAt: null })
    .where(and(eq(storePurchases.accountId, accountId), notExists(boughtOnce)))
}

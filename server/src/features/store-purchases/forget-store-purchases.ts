import { and, eq, isNull, notExists } from 'drizzle-orm'
import type { Transaction } from '../../database/connection.ts'
import { storePurchases, storeTransactions } from './store-purchases.table.ts'

/**
 * Frees the plans of an account that is deleted: the store goes on charging their buyer, who may link them to another account. What was
 * bought once stays with the deleted account. It has no end in the store, so another account could otherwise be given it again.
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

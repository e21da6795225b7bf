import { eq } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { paymentMethods, payments } from '../payments/payments.table.ts'
import { clearCarts } from './clear-cart.ts'
import { endSubscriptions } from './end-subscriptions.ts'
import { subscriptions } from './orders.table.ts'

/**
 * Ends the subscriptions of a deleted account, and removes its cart and its cards. Orders, payments and the ledger
 * stay, because accounting must keep them.
 *
 * @param now milliseconds since the Unix epoch
 */
export async function forgetPurchases(tx: Transaction, accountId: number, now: number): Promise<void> {
  await endSubscriptions(tx, accountId, now)
  await clearCarts(tx, [accountId])
  for (const table of [payments, subscriptions])
    await tx.update(table).set({ methodId: null }).where(eq(table.accountId, accountId))
  await tx.delete(paymentMethods).where(eq(paymentMethods.accountId, accountId))
}

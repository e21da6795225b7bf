import { eq } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { forgetMethods } from '../payments/payments.service.ts'
import { clearCarts } from './clear-cart.ts'
import { endSubscriptions } from './end-subscriptions.ts'
import { subscriptions } from './orders.table.ts'

/**
 * Ends the subscriptions of a deleted account, and removes its cart and its saved cards. Orders, payments and the
 * ledger stay, because accounting must keep them.
 *
 * @param now milliseconds since the Unix epoch
 */
export async function forgetPurchases(tx: Transaction, accountId: number, now: number): Promise<void> {
  await endSubscriptions(tx, accountId, now)
  await clearCarts(tx, [accountId])
  await tx.update(subscriptions).set({ methodId: null }).where(eq(subscriptions.accountId, accountId))
  await forgetMethods(tx, accountId)
}

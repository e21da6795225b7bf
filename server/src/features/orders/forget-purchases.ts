import { eq } from 'drizzle-orm'
import type { Transaction } from '../../database/connection.ts'
import { paymentMethods, payments } from '../payments/payments.table.ts'
import { clearCart } from './clear-cart.ts'
import { subscriptions } from './orders.table.ts'

/** Removes the cart and the cards of an account that is deleted. Orders, payments and the ledger stay: accounting must keep them. */
export async function forgetPurchases(tx: Transaction, accountId: number): Promise<void> {
  await clearCart(tx, accountId)
  for (const table of [payments, subscriptions])
    await tx.update(table).set({ methodId: null }).where(eq(table.accountId, accountId))
  await tx.delete(paymentMethods).where(eq(paymentMethods.accountId, accountId))
}

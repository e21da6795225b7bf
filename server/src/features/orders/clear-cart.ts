import { eq } from 'drizzle-orm'
import type { Transaction } from '../../database/connection.ts'
import { cartItems, cartVouchers } from './orders.table.ts'

/** Takes everything out of the cart, its voucher too. */
export async function clearCart(tx: Transaction, accountId: number): Promise<void> {
  await tx.delete(cartItems).where(eq(cartItems.accountId, accountId))
  await tx.delete(cartVouchers).where(eq(cartVouchers.accountId, accountId))
}

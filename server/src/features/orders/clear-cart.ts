import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../database/connection.ts'
import { cartItems, cartVouchers } from './orders.table.ts'

/** Takes everything out of the cart, its voucher too. */
export async function clearCart(tx: Transaction, accountId: number): Promise<void> {
  await tx.execute(sql`
    with no_voucher as (delete from ${cartVouchers} where ${eq(cartVouchers.accountId, accountId)})
    delete from ${cartItems} where ${eq(cartItems.accountId, accountId)}`)
}

import { sql } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { oneOf } from '../../../database/one-of.ts'
import { cartItems, cartVouchers } from './orders.table.ts'

/** Removes all items and vouchers from the carts of accounts. */
export async function clearCarts(tx: Transaction, accountIds: readonly number[]): Promise<void> {
  await tx.execute(sql`
    with no_voucher as (delete from ${cartVouchers} where ${oneOf(cartVouchers.accountId, accountIds)})
    delete from ${cartItems} where ${oneOf(cartItems.accountId, accountIds)}`)
}

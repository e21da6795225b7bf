import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { offerRevisions, offers } from '../offers/offers.table.ts'
import { voucherCodes, vouchers } from '../vouchers/vouchers.table.ts'
import {
  cartItems,
  cartVouchers,
  orderItems,
  orders,
  subscriptionEmails,
  subscriptionPeriods,
  subscriptions,
} from './orders.table.ts'

/** Reads the cart, the orders and the subscriptions of an account, with the names of their offers. */
export async function exportPurchases(db: Database, accountId: number): Promise<AccountData> {
  return {
    cart: await db
      .select({ ...readableColumns(cartItems), offer: offers.key })
      .from(cartItems)
      .innerJoin(offerRevisions, eq(offerRevisions.id, cartItems.offerRevisionId))
      .innerJoin(offers, eq(offers.id, offerRevisions.offerId))
      .where(eq(cartItems.accountId, accountId))
      .orderBy(cartItems.position),
    cartVoucher: await db
      .select({ ...readableColumns(cartVouchers), voucher: vouchers.key })
      .from(cartVouchers)
      .innerJoin(voucherCodes, eq(voucherCodes.id, cartVouchers.codeId))
      .innerJoin(vouchers, eq(vouchers.id, voucherCodes.voucherId))
      .where(eq(cartVouchers.accountId, accountId)),
    orders: await db
      .select(readableColumns(orders))
      .from(orders)
      .where(eq(orders.accountId, accountId))
      .orderBy(orders.id),
    orderItems: await db
      .select({ ...readableColumns(orderItems), offer: offers.key })
      .from(orderItems)
      .innerJoin(orders, eq(orders.id, orderItems.orderId))
      .innerJoin(offerRevisions, eq(offerRevisions.id, orderItems.offerRevisionId))
      .innerJoin(offers, eq(offers.id, offerRevisions.offerId))
      .where(eq(orders.accountId, accountId))
      .orderBy(orderItems.id),
    subscriptions: await db
      .select({ ...readableColumns(subscriptions), offer: offers.key })
      .from(subscriptions)
      .innerJoin(offerRevisions, eq(offerRevisions.id, subscriptions.offerRevisionId))
      .innerJoin(offers, eq(offers.id, offerRevisions.offerId))
      .where(eq(subscriptions.accountId, accountId))
      .orderBy(subscriptions.id),
    subscriptionPeriods: await db
      .select(readableColumns(subscriptionPeriods))
      .from(subscriptionPeriods)
      .innerJoin(subscriptions, eq(subscriptions.id, subscriptionPeriods.subscriptionId))
      .where(eq(subscriptions.accountId, accountId))
      .orderBy(subscriptionPeriods.id),
    subscriptionEmails: await db
      .select(readableColumns(subscriptionEmails))
      .from(subscriptionEmails)
      .innerJoin(subscriptions, eq(subscriptions.id, subscriptionEmails.subscriptionId))
      .where(eq(subscriptions.accountId, accountId))
      .orderBy(subscriptionEmails.id),
  }
}

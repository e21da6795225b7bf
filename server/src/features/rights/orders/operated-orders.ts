import { MOST_ORDERS } from '@ondine/contract/operated-orders'
import type { OrderState } from '@ondine/contract/orders'
import { and, asc, desc, eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { offerRevisions, offers } from '../offers/offers.table.ts'
import { payments } from '../payments/payments.table.ts'
import { receipts } from '../receipts/receipts.table.ts'
import { voucherCodes, voucherUses } from '../vouchers/vouchers.table.ts'
import { orderItems, orders } from './orders.table.ts'

const OPERATED = { order: orders, email: accounts.email, payment: payments }

/** An order with its account and its payment, for operators. */
export interface OperatedOrder {
  order: typeof orders.$inferSelect
  email: string
  payment: typeof payments.$inferSelect | null
}

/** An order with its items, voucher and receipts. */
export interface WholeOrder extends OperatedOrder {
  items: (Pick<typeof orderItems.$inferSelect, 'assetId' | 'cents' | 'discountCents' | 'promotion'> & {
    key: string
    revision: number
    terms: (typeof offerRevisions.$inferSelect)['terms']
  })[]
  voucher: string | null
  receipts: (typeof receipts.$inferSelect)[]
}

/**
 * Returns orders, the newest first. `state` restricts the result to orders in this state, and `email` to the
 * account with this address.
 */
export async function listOrders(
  db: Database,
  { state, email }: { state?: OrderState | undefined; email?: string | undefined },
): Promise<OperatedOrder[]> {
  return await db
    .select(OPERATED)
    .from(orders)
    .innerJoin(accounts, eq(orders.accountId, accounts.id))
    .leftJoin(payments, eq(orders.paymentId, payments.id))
    .where(
      and(
        state && eq(orders.state, state),
        email === undefined ? undefined : eq(accounts.email, email.trim().toLowerCase()),
      ),
    )
    .orderBy(desc(orders.id))
    .limit(MOST_ORDERS)
}

/** Returns the order with this id, with its items, voucher and receipts; undefined if it does not exist. */
export async function wholeOrder(db: Database, id: number): Promise<WholeOrder | undefined> {
  const [found] = await db
    .select({ ...OPERATED, voucher: voucherCodes.code })
    .from(orders)
    .innerJoin(accounts, eq(orders.accountId, accounts.id))
    .leftJoin(payments, eq(orders.paymentId, payments.id))
    .leftJoin(voucherUses, eq(orders.voucherUseId, voucherUses.id))
    .leftJoin(voucherCodes, eq(voucherUses.codeId, voucherCodes.id))
    .where(eq(orders.id, id))
  if (!found) return undefined
  const items = await db
    .select({
      key: offers.key,
      revision: offerRevisions.number,
      terms: offerRevisions.terms,
      assetId: orderItems.assetId,
      cents: orderItems.cents,
      discountCents: orderItems.discountCents,
      promotion: orderItems.promotion,
    })
    .from(orderItems)
    .innerJoin(offerRevisions, eq(orderItems.offerRevisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .where(eq(orderItems.orderId, id))
    .orderBy(asc(orderItems.id))
  const { paymentId } = found.order
  const issued =
    paymentId === null
      ? []
      : await db.select().from(receipts).where(eq(receipts.paymentId, paymentId)).orderBy(asc(receipts.id))
  return { ...found, items, receipts: issued }
}

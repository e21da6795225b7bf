import { ORDER_SECONDS } from '@ondine/contract/orders'
import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { oneOf } from '../../../database/one-of.ts'
import { ServiceError } from '../../../http/errors.ts'
import { type Account, isOpen } from '../../people/accounts/accounts.service.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { book } from '../payments/ledger.service.ts'
import { holdPayments, isReceived, oweRefund, type Payment } from '../payments/payments.service.ts'
import { issueReceipts } from '../receipts/receipts.service.ts'
import type { ReceiptLine } from '../receipts/receipts.table.ts'
import { releaseUse } from '../vouchers/vouchers.service.ts'
import { giveOrders } from './give-orders.ts'
import { orders } from './orders.table.ts'
import { extend, noteDecline } from './period-outcomes.ts'
import { giveCard } from './resume-held.ts'
import { receiptLine, type SoldItem, soldItems } from './sold-items.ts'

export type Order = typeof orders.$inferSelect

/** Dependencies of executing orders. */
export interface ExecuteParts {
  db: Database
  /** Days on which a declined renewal is charged again, counted from the first decline. */
  retryDays: readonly number[]
  /** Name, address and VAT number of the seller for receipts, one line each (`SELLER`). */
  seller: readonly string[]
}

/** An order with its account and its payment, all locked until the transaction ends. */
export interface HeldOrder {
  order: Order
  account: Account
  payment: Payment | undefined
}

/** Locks an order until the transaction ends. */
export async function holdOrder(tx: Transaction, id: number): Promise<Order> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, id)).for('update')
  if (!order) throw new Error(`There is no order ${id}.`)
  return order
}

/**
 * Locks orders with their accounts and payments. The lock on the account lets only one order of the account be
 * executed at a time. So the second of two orders for the same plan sees the subscription from the first.
 */
export async function holdWholeOrders(tx: Transaction, ids: readonly number[]): Promise<HeldOrder[]> {
  const found = await tx
    .select({ order: orders, account: accounts })
    .from(orders)
    .innerJoin(accounts, eq(orders.accountId, accounts.id))
    .where(oneOf(orders.id, ids))
    // Every transaction locks orders in this sequence, to prevent deadlocks.
    .orderBy(orders.accountId, orders.id)
    .for('update')
    .prepare('hold_whole_orders')
    .execute()
  if (found.length < ids.length)
    throw new Error(`There are only ${found.length} of the orders ${ids.join()}.`)
  const payments = await holdPayments(
    tx,
    found.flatMap(({ order: { paymentId } }) => (paymentId === null ? [] : [paymentId])),
  )
  return found.map((held) => ({
    ...held,
    payment: held.order.paymentId === null ? undefined : payments.get(held.order.paymentId),
  }))
}

/** An executed order, with the lines of its receipt. */
export interface ExecutedOrder extends HeldOrder {
  lines: ReceiptLine[]
}

/**
 * Executes paid orders: grants their rights and stores their states. Each account can have at most one purchase
 * among these orders; all other orders of the account must be renewals. The caller books the sales.
 *
 * @param now milliseconds since the Unix epoch
 * @throws ServiceError if an order can no longer be fulfilled, because another order granted the same right, or the
 * account was closed. Throws the database's foreign key violation if a title has left the catalogue. The caller
 * must then roll back the transaction
 */
export async function executeOrders(
  tx: Transaction,
  held: readonly HeldOrder[],
  now: number,
): Promise<ExecutedOrder[]> {
  if (!held.every(({ account }) => isOpen(account))) throw new ServiceError('tokenInvalid')
  const ids = held.map(({ order }) => order.id)
  const sold = await soldItems(tx, ids)
  const inShop = held.flatMap(({ order, payment }) =>
    order.periodId === null && order.cardForId === null
      ? [{ order, payment, items: sold.get(order.id) ?? [] }]
      : [],
  )
  for (const { order, payment } of held)
    if (order.cardForId !== null) {
      const { accountId, cardForId: subscriptionId } = order
      await giveCard(tx, { accountId, subscriptionId, methodId: payment?.methodId ?? null }, now)
    }
  const lines = new Map([...(await renew(tx, held, sold, now)), ...(await giveOrders(tx, inShop, now))])
  const outcome = { state: 'executed' as const, closedAt: now }
  await tx.update(orders).set(outcome).where(oneOf(orders.id, ids))
  return held.map(({ order, ...same }) => ({
    ...same,
    order: { ...order, ...outcome },
    lines: lines.get(order.id) ?? [],
  }))
}

/** Books received payments and the sales of executed orders, and writes the receipts. */
export async function bookOrders(
  tx: Transaction,
  { seller }: Pick<ExecuteParts, 'seller'>,
  { received, executed }: { received: readonly Payment[]; executed: readonly ExecutedOrder[] },
  at: number,
): Promise<void> {
  const sold = executed.flatMap(({ order: { vatBasisPoints }, account, payment, lines }) =>
    payment && isReceived(payment) ? [{ payment, account, vatBasisPoints, lines }] : [],
  )
  await book(tx, {
    received: received.map(({ id: paymentId, cents }) => ({ paymentId, cents, at })),
    sold: sold.map(({ payment: { id: paymentId, cents }, vatBasisPoints }) => ({
      paymentId,
      cents,
      vatBasisPoints,
      at,
    })),
  })
  await issueReceipts(tx, sold, { seller, at })
}

/**
 * Extends subscriptions by the periods that these orders pay.
 *
 * @returns the lines of the receipts, by order id
 */
async function renew(
  tx: Transaction,
  held: readonly HeldOrder[],
  sold: ReadonlyMap<number, readonly SoldItem[]>,
  now: number,
): Promise<Map<number, ReceiptLine[]>> {
  const renewals = held.flatMap(({ order: { id: orderId, periodId }, payment }) =>
    periodId === null
      ? []
      : (sold.get(orderId) ?? []).map((each) => ({ orderId, periodId, payment, sold: each })),
  )
  const periods = await extend(
    tx,
    renewals.map(({ orderId, periodId, sold: { item } }) => ({ orderId, periodId, itemId: item.id })),
    now,
  )
  const lines = new Map<number, ReceiptLine[]>()
  for (const { orderId, payment, sold: each } of renewals) {
    const period = periods.get(orderId)
    if (period) lines.set(orderId, [receiptLine(each, payment, { from: period.startsAt, to: period.endsAt })])
  }
  return lines
}

/** Marks a paid order that cannot be fulfilled as failed, and its payment as due for a refund. */
export async function refuseOrder(
  tx: Transaction,
  { retryDays }: Pick<ExecuteParts, 'retryDays'>,
  { order, account, payment }: HeldOrder,
  now: number,
): Promise<HeldOrder> {
  const owed = payment && (await oweRefund(tx, payment))
  await declinePeriod(tx, order, { now, retryDays, email: null })
  return { order: await closeOrder(tx, order, 'failed', now), account, payment: owed }
}

/**
 * Handles the end of an unpaid order for the period that the order should pay, as {@link noteDecline} does. An
 * order of the customer uses up no retry (docs/decisions/0053): the next charge stays as `payDue` has set it.
 */
export async function declinePeriod(
  tx: Transaction,
  order: Order,
  how: Parameters<typeof noteDecline>[2],
): Promise<void> {
  if (order.periodId !== null && !isByCustomer(order)) await noteDecline(tx, order.periodId, how)
}

/** Returns whether the customer made the order, and not the job that charges renewals. */
function isByCustomer({ submittedAt, expiresAt }: Order): boolean {
  // The orders of the job wait for 23 hours (`LONGEST_PAYMENT_MS`), until the customer confirms the payment.
  return expiresAt - submittedAt <= ORDER_SECONDS * 1000
}

/** Closes an order that gives no rights, and releases the use of its voucher. */
export async function closeOrder(
  tx: Transaction,
  order: Order,
  state: 'failed' | 'expired',
  now: number,
): Promise<Order> {
  await tx.update(orders).set({ state, closedAt: now }).where(eq(orders.id, order.id))
  if (order.voucherUseId !== null) await releaseUse(tx, order.voucherUseId, now)
  return { ...order, state, closedAt: now }
}

import { and, eq, gt, inArray, isNotNull, or } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Transaction } from '../../../database/connection.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { ServiceError } from '../../../http/errors.ts'
import { holdAccount } from '../../people/accounts/accounts.service.ts'
import { endGrants } from '../entitlements/grants.service.ts'
import { holdPayment, oweRefund } from '../payments/payments.service.ts'
import { endRefunded } from './end-subscriptions.ts'
import { holdOrder, type Order } from './execute-order.ts'
import { orderItems, orders, subscriptions } from './orders.table.ts'
import { holdPeriod } from './period-outcomes.ts'
import { paidItem } from './plan-changes.ts'
import { type SettleParts, trySettling } from './settlement.service.ts'
import type { Subscription } from './subscription-periods.ts'

/**
 * Refunds the payment of an executed order, and ends the rights that the order bought. If the order paid the
 * current period of a subscription, the subscription ends too. So do subscriptions that were upgraded from it with
 * a credit for its unused time.
 *
 * The rights end in the transaction that marks the refund as due. The provider is called after this transaction,
 * and a job repeats the call until the provider confirms the refund. A repeated call refunds nothing twice.
 *
 * @throws ServiceError conflict for an order that is not executed, nothingToPay for an order that cost nothing
 */
export async function refundOrder(parts: SettleParts, orderId: number): Promise<void> {
  const { db, clock } = parts
  const now = clock.now()
  const order = await retryOnDeadlock(
    async () => await db.transaction(async (tx) => await owe(tx, orderId, now)),
  )
  await trySettling(parts, order)
}

/** Marks the payment of an order as due for a refund, and ends the rights that the order bought. @returns the order */
async function owe(tx: Transaction, orderId: number, now: number): Promise<Order> {
  const order = await holdOrder(tx, orderId)
  if (order.state !== 'executed') throw new ServiceError('conflict')
  // Lock the account, so that no upgrade begins in the meantime.
  await holdAccount(tx, order.accountId)
  const payment = order.paymentId === null ? undefined : await holdPayment(tx, order.paymentId)
  if (!payment || payment.cents === 0) throw new ServiceError('nothingToPay')
  if (payment.state !== 'succeeded') return order
  await oweRefund(tx, payment)
  const items = await tx.select({ id: orderItems.id }).from(orderItems).where(eq(orderItems.orderId, orderId))
  const itemIds = items.map(({ id }) => id)
  for (const source of ['subscription', 'rental', 'payPerView'] as const)
    await endGrants(tx, { source, sourceIds: itemIds.map(String), accountIds: [order.accountId] }, now)
  const lastPaid = await lastPaidBy(tx, order, itemIds)
  const credited = await creditedBy(tx, lastPaid)
  for (const each of credited) {
    const { itemId } = await paidItem(tx, each)
    const origins = { sourceIds: [String(itemId)], accountIds: [order.accountId] }
    await endGrants(tx, { source: 'subscription', ...origins }, now)
  }
  await endRefunded(tx, [...lastPaid, ...credited.map(({ id }) => id)], now)
  return order
}

/**
 * Returns the subscriptions whose current period the order paid. The refund of an earlier period is a courtesy,
 * which ends nothing.
 */
async function lastPaidBy(tx: Transaction, order: Order, itemIds: readonly number[]): Promise<number[]> {
  if (order.periodId !== null) {
    const { subscription, period } = await holdPeriod(tx, order.periodId)
    return subscription.period === period.period ? [subscription.id] : []
  }
  const begun = await tx
    .select()
    .from(subscriptions)
    .where(inArray(subscriptions.orderItemId, [...itemIds]))
    .for('update')
  return begun.filter(({ period, hadTrial }) => period === (hadTrial ? 0 : 1)).map(({ id }) => id)
}

/**
 * Returns the subscriptions that received credit for the unused time of the given subscriptions, through one
 * upgrade or several. Omits a subscription that has renewed since: its current period was paid in full.
 *
 * An upgrade also credits the options that end with the replaced plan. Its order does not name these options, but
 * closes at the time when they end.
 */
async function creditedBy(tx: Transaction, ids: readonly number[]): Promise<Subscription[]> {
  const credited: Subscription[] = []
  const seen = new Set(ids)
  const replaced = alias(subscriptions, 'replaced')
  for (let from = [...ids]; from.length > 0; ) {
    const upgrades = await tx
      .select({ subscription: subscriptions })
      .from(orders)
      .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
      .innerJoin(subscriptions, eq(subscriptions.orderItemId, orderItems.id))
      .innerJoin(
        replaced,
        and(
          eq(replaced.accountId, orders.accountId),
          or(
            eq(replaced.id, orders.replacesId),
            // Only unused time is credited.
            and(eq(replaced.endedAt, orders.closedAt), gt(replaced.periodEnd, orders.submittedAt)),
          ),
        ),
      )
      .where(
        and(
          inArray(replaced.id, from),
          isNotNull(orders.replacesId),
          eq(orders.state, 'executed'),
          gt(orderItems.creditCents, 0),
          eq(subscriptions.period, 1),
        ),
      )
      .for('update', { of: subscriptions })
    from = []
    for (const { subscription } of upgrades) {
      // One upgrade may have credited several of these subscriptions. A subscription that was replaced in the same
      // transaction in which it began is found by its own order.
      if (seen.has(subscription.id)) continue
      seen.add(subscription.id)
      credited.push(subscription)
      from.push(subscription.id)
    }
  }
  return credited
}

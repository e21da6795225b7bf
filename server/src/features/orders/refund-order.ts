import { eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../database/connection.ts'
import { ServiceError } from '../../http/errors.ts'
import { endGrants } from '../entitlements/grants.service.ts'
import { holdPayment, oweRefund } from '../payments/payments.service.ts'
import { endRefunded } from './end-subscriptions.ts'
import { holdOrder, type Order } from './execute-order.ts'
import { orderItems, subscriptions } from './orders.table.ts'
import { holdPeriod } from './period-outcomes.ts'
import { type SettleParts, trySettling } from './settle-order.ts'

/**
 * Gives the payment of an executed order back, and ends what was bought, a subscription with the latest period that is paid. Its rights end in the transaction in which the refund becomes
 * due; the provider is asked after it, and again by the job until it confirms. Called again, it gives nothing back twice.
 *
 * @throws ServiceError conflict for an order that was not executed, nothingToPay for one that cost nothing
 */
export async function refundOrder(parts: SettleParts, orderId: number): Promise<void> {
  const { db, clock } = parts
  const now = clock.now()
  const order = await db.transaction(async (tx) => {
    const held = await holdOrder(tx, orderId)
    if (held.state !== 'executed') throw new ServiceError('conflict')
    const payment = held.paymentId === null ? undefined : await holdPayment(tx, held.paymentId)
    if (!payment || payment.cents === 0) throw new ServiceError('nothingToPay')
    if (payment.state !== 'succeeded') return held
    await oweRefund(tx, payment)
    const items = await tx
      .select({ id: orderItems.id })
      .from(orderItems)
      .where(eq(orderItems.orderId, orderId))
    const ids = items.map(({ id }) => id)
    for (const source of ['subscription', 'rental', 'payPerView'] as const)
      for (const id of ids) await endGrants(tx, { source, sourceId: String(id) }, now)
    await endRefunded(tx, await lastPaidBy(tx, held, ids), now)
    return held
  })
  await trySettling(parts, order)
}

/** The subscriptions whose latest period an order paid. The refund of an earlier one is a favour, and ends nothing. */
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

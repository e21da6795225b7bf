import { eq } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { type ProviderPayment, ProviderSilent } from '../payments/payment-provider.ts'
import {
  findPayment,
  holdPayment,
  oweRefund,
  type PaymentProviders,
  refund,
  takeOutcome,
} from '../payments/payments.service.ts'
import { payments } from '../payments/payments.table.ts'
import { issueCreditNote } from '../receipts/receipts.service.ts'
import { closeOrder, type ExecuteParts, executeOrder, holdOrder, type Order } from './execute-order.ts'
import { orders } from './orders.table.ts'
import { noteDecline } from './period-outcomes.ts'

/** What orders are settled with. */
export interface SettleParts extends ExecuteParts {
  clock: Clock
  log: FastifyBaseLogger
  providers: PaymentProviders
}

/**
 * Brings an order to where its payment is, by asking the provider: executes what is paid, closes what has failed or expired, and
 * gives back what was paid for an order that is over. Every step can be interrupted and done again, and by several at once.
 *
 * @returns the order as it is then
 * @throws ProviderSilent when the provider gives no answer; the order is then as it was
 */
export async function settleOrder(parts: SettleParts, orderId: number): Promise<Order> {
  const { db, clock, providers } = parts
  // Taken before the provider is asked: a payment that is open later than it expires can be paid no more.
  const now = clock.now()
  const [found] = await db
    .select({ payment: payments })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments.id))
    .where(eq(orders.id, orderId))
  if (!found) throw new Error(`There is no order ${orderId}.`)
  const { payment } = found
  if (payment?.state !== 'open') return await settleKnown(parts, orderId, undefined, now)
  const provider = providers.get(payment.provider)
  if (!provider) throw new ProviderSilent(`Payment provider ${payment.provider} is switched off.`)
  return await settleKnown(parts, orderId, await provider.query(payment.key), now)
}

/**
 * As {@link settleOrder}, where it is known how the payment stands.
 *
 * @param now when that was asked, in milliseconds since the Unix epoch
 */
export async function settleKnown(
  parts: SettleParts,
  orderId: number,
  known: ProviderPayment | undefined,
  now: number,
): Promise<Order> {
  const { db, providers, retryDays } = parts
  let { order, payment } = await db.transaction(async (tx) => {
    const order = await holdOrder(tx, orderId)
    const held = order.paymentId === null ? undefined : await holdPayment(tx, order.paymentId)
    const payment = held && (await takeOutcome(tx, held, known, now))
    if (order.state === 'submitted') {
      const isFree = payment === undefined && order.cents === 0
      if (isFree || payment?.state === 'succeeded') {
        await tx.update(orders).set({ state: 'to_execute' }).where(eq(orders.id, orderId))
        return { order: { ...order, state: 'to_execute' as const }, payment }
      }
      // A bank that has not answered yet may still say yes.
      const mayExpire = known?.state !== 'processing' && order.expiresAt <= now
      const isFailed = payment?.state === 'failed'
      if (!isFailed && !mayExpire) return { order, payment }
      if (order.periodId !== null) await noteDecline(tx, order.periodId, { now, retryDays })
      return { order: await closeOrder(tx, order, isFailed ? 'failed' : 'expired', now), payment }
    }
    // Failed and expired are final (decision 36): money that came all the same goes back.
    const isOver = order.state === 'failed' || order.state === 'expired'
    return { order, payment: payment && isOver ? await oweRefund(tx, payment) : payment }
  })
  if (order.state === 'to_execute') {
    order = await executeOrder(parts, orderId, now)
    payment = payment && (await findPayment(db, payment.id))
  }
  if (payment?.state === 'refundDue')
    await refund(
      { db, providers, onRefunded: async (tx, { id }) => await issueCreditNote(tx, id, now) },
      payment,
      now,
    )
  return order
}

/** Settles the order of a payment that has changed at its provider. */
export async function settlePayment(parts: SettleParts, paymentId: number): Promise<void> {
  const [order] = await parts.db.select({ id: orders.id }).from(orders).where(eq(orders.paymentId, paymentId))
  if (order) await settleOrder(parts, order.id)
}

/** As {@link settleOrder}; a silent provider is noted, and the order answered as it is known. */
export async function trySettling(parts: SettleParts, order: Order): Promise<Order> {
  try {
    return await settleOrder(parts, order.id)
  } catch (error) {
    if (!(error instanceof ProviderSilent)) throw error
    parts.log.warn({ err: error, order: order.id }, 'the payment provider does not answer')
    return order
  }
}

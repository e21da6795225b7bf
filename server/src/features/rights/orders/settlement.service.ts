import { eq, type SQL } from 'drizzle-orm'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../database/connection.ts'
import {
  type ChangedPayment,
  type Payment,
  type PaymentProviders,
  ProviderSilent,
  refund,
} from '../payments/payments.service.ts'
import { payments } from '../payments/payments.table.ts'
import { issueCreditNote } from '../receipts/receipts.service.ts'
import type { HeldOrder, Order } from './execute-order.ts'
import { orders } from './orders.table.ts'
import type { KnownPayment, TakeOver, TakeOverParts } from './take-over.ts'

/** Dependencies of settling orders. */
export interface SettleParts extends TakeOverParts {
  clock: Clock
  providers: PaymentProviders
  takeOver: TakeOver
}

/**
 * Queries the provider about the payment of an order, and updates the order to match. A paid order is executed. An
 * order with a failed payment, or an expired order, is closed. If a closed order was paid, the payment is
 * refunded. Every step can be interrupted, repeated and run concurrently.
 *
 * @returns the order after the update
 * @throws ProviderSilent if the provider does not answer. The order is unchanged
 */
export async function settleOrder(parts: SettleParts, orderId: number): Promise<Order> {
  // Read the time before the query. A payment that is still open after its expiry at this time can no longer be
  // paid.
  const now = parts.clock.now()
  const found = await findWithPayment(parts.db, eq(orders.id, orderId))
  if (!found) throw new Error(`There is no order ${orderId}.`)
  return await settleFound(parts, found, now)
}

/** Settles the order of a payment that has changed at its provider. Reports a dispute to the operator. */
export async function settlePayment(
  parts: SettleParts,
  { paymentId, isDispute }: ChangedPayment,
): Promise<void> {
  const now = parts.clock.now()
  const found = await findWithPayment(parts.db, eq(orders.paymentId, paymentId))
  if (!found) return
  const { id, accountId } = found.order
  if (isDispute)
    parts.log.error(
      { order: id, account: accountId },
      `a customer disputes the payment of this order at the bank: ${disputeAdvice(id)}`,
    )
  await settleFound(parts, found, now)
}

/** Returns what an operator can do about a dispute of an order's payment. */
export function disputeAdvice(orderId: number): string {
  return `answer the dispute at the provider, or accept it with "orders refund ${orderId}", which ends the rights`
}

/** An order with its payment. */
interface FoundOrder {
  order: Order
  payment: Payment | null
}

async function findWithPayment(db: Database, which: SQL): Promise<FoundOrder | undefined> {
  const [found] = await db
    .select({ order: orders, payment: payments })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments.id))
    .where(which)
  return found
}

async function settleFound(parts: SettleParts, found: FoundOrder, now: number): Promise<Order> {
  const { order, payment } = found
  if (isSettled(found)) return order
  if (payment?.state !== 'open')
    return await settleKnown(parts, { orderId: order.id, known: undefined, at: now })
  const provider = parts.providers.get(payment.provider)
  if (!provider) throw new ProviderSilent(`Payment provider ${payment.provider} is switched off.`)
  const known = await provider.query(payment.key)
  return await settleKnown(parts, { orderId: order.id, known, at: now })
}

/** Returns whether the order and its payment are in matching final states. */
function isSettled({ order: { state }, payment }: FoundOrder): boolean {
  if (state === 'submitted' || state === 'to_execute') return false
  if (payment === null || payment.state === 'failed' || payment.state === 'refunded') return true
  return payment.state === 'succeeded' && (state === 'executed' || payment.cents === 0)
}

/** Settles an order with the known state of its payment, as {@link settleOrder} does. */
export async function settleKnown(parts: SettleParts, known: KnownPayment): Promise<Order> {
  return await giveBackDue(parts, await parts.takeOver(known), known.at)
}

/**
 * Settles many orders, as {@link settleKnown} does. If an order fails, logs the error and continues with the next
 * order.
 */
export async function settleAll(parts: SettleParts, known: readonly KnownPayment[]): Promise<void> {
  await Promise.all(
    known.map(async (each) => {
      try {
        await settleKnown(parts, each)
      } catch (err) {
        parts.log.error({ err, order: each.orderId }, 'an order could not be settled')
      }
    }),
  )
}

/** Refunds the payment of an order if the refund is due. @returns the order */
async function giveBackDue(
  { db, providers }: SettleParts,
  { order, payment }: HeldOrder,
  now: number,
): Promise<Order> {
  if (payment?.state === 'refundDue')
    await refund(
      { db, providers, onRefunded: async (tx, paid) => await issueCreditNote(tx, paid, now) },
      payment,
      now,
    )
  return order
}

/** Settles an order. If the provider does not answer, logs this and returns the unchanged order. */
export async function trySettling(parts: SettleParts, order: Order): Promise<Order> {
  try {
    return await settleOrder(parts, order.id)
  } catch (error) {
    if (!(error instanceof ProviderSilent)) throw error
    parts.log.warn({ err: error, order: order.id }, 'the payment provider does not answer')
    return order
  }
}

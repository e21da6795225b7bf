import { eq, type SQL } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { namesWhatIsGone } from '../../database/broken-keys.ts'
import type { Database, Transaction } from '../../database/connection.ts'
import { despiteDeadlock } from '../../database/despite-deadlock.ts'
import { ServiceError } from '../../http/errors.ts'
import { isOpen } from '../accounts/accounts.service.ts'
import { type ProviderPayment, ProviderSilent } from '../payments/payment-provider.ts'
import {
  oweRefund,
  type Payment,
  type PaymentProviders,
  refund,
  takeOutcome,
} from '../payments/payments.service.ts'
import { payments } from '../payments/payments.table.ts'
import { issueCreditNote } from '../receipts/receipts.service.ts'
import {
  closeOrder,
  type ExecuteParts,
  executeOrder,
  type HeldOrder,
  holdWholeOrder,
  type Order,
  refuseOrder,
} from './execute-order.ts'
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
  // Taken before the provider is asked: a payment that is open later than it expires can be paid no more.
  const now = parts.clock.now()
  const found = await findWithPayment(parts.db, eq(orders.id, orderId))
  if (!found) throw new Error(`There is no order ${orderId}.`)
  return await settleFound(parts, found, now)
}

/** Settles the order of a payment that has changed at its provider. */
export async function settlePayment(parts: SettleParts, paymentId: number): Promise<void> {
  const now = parts.clock.now()
  const found = await findWithPayment(parts.db, eq(orders.paymentId, paymentId))
  if (found) await settleFound(parts, found, now)
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
  if (payment?.state !== 'open') return await settleKnown(parts, order.id, undefined, now)
  const provider = parts.providers.get(payment.provider)
  if (!provider) throw new ProviderSilent(`Payment provider ${payment.provider} is switched off.`)
  return await settleKnown(parts, order.id, await provider.query(payment.key), now)
}

/** Whether nothing is left to do: the states of order and payment are final, and fit. */
function isSettled({ order: { state }, payment }: FoundOrder): boolean {
  if (state === 'submitted' || state === 'to_execute') return false
  if (payment === null || payment.state === 'failed' || payment.state === 'refunded') return true
  return payment.state === 'succeeded' && (state === 'executed' || payment.cents === 0)
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
  const { db, providers } = parts
  const { order, payment } = await takeOverAndExecute(parts, { orderId, known, now })
  if (payment?.state === 'refundDue')
    await refund(
      { db, providers, onRefunded: async (tx, { id }) => await issueCreditNote(tx, id, now) },
      payment,
      now,
    )
  return order
}

/** What is known of the payment of an order. */
interface Known {
  orderId: number
  known: ProviderPayment | undefined
  now: number
}

/** Takes over what is known, and executes what is paid in the same transaction (docs/decisions/0060). */
async function takeOverAndExecute(parts: SettleParts, what: Known): Promise<HeldOrder> {
  const { db } = parts
  const { orderId, now } = what
  try {
    return await despiteDeadlock(
      async () =>
        await db.transaction(async (tx) => {
          const taken = await takeOver(tx, parts, what)
          return taken.order.state === 'to_execute' ? await executeOrder(tx, parts, taken, now) : taken
        }),
    )
  } catch (error) {
    // Nothing of it has happened. Money that has come is known all the same, whatever stands in the way of giving something for it.
    const isImpossible = error instanceof ServiceError || namesWhatIsGone(error)
    const taken = await db.transaction(async (tx) => {
      const held = await takeOver(tx, parts, what)
      if (held.order.state !== 'to_execute') return held
      if (isImpossible) return await refuseOrder(tx, parts, held, now)
      await tx.update(orders).set({ state: 'to_execute' }).where(eq(orders.id, orderId))
      return held
    })
    if (taken.order.state === 'to_execute') throw error
    return taken
  }
}

/** Takes over what is known of a payment. @returns an order that is paid as `to_execute`, which is not stored yet */
async function takeOver(
  tx: Transaction,
  { retryDays }: SettleParts,
  { orderId, known, now }: Known,
): Promise<HeldOrder> {
  const { order, account, payment: held } = await holdWholeOrder(tx, orderId)
  const payment = held && (await takeOutcome(tx, held, isOpen(account) ? known : withoutCard(known), now))
  if (order.state === 'submitted') {
    const isFree = payment === undefined && order.cents === 0
    if (isFree || payment?.state === 'succeeded')
      return { order: { ...order, state: 'to_execute' }, account, payment }
    // A bank that has not answered yet may still say yes.
    const mayExpire = known?.state !== 'processing' && order.expiresAt <= now
    const isFailed = payment?.state === 'failed'
    if (!isFailed && !mayExpire) return { order, account, payment }
    if (order.periodId !== null) await noteDecline(tx, order.periodId, { now, retryDays })
    return { order: await closeOrder(tx, order, isFailed ? 'failed' : 'expired', now), account, payment }
  }
  // Failed and expired are final (decision 36): money that came all the same goes back.
  const isOver = order.state === 'failed' || order.state === 'expired'
  return { order, account, payment: payment && isOver ? await oweRefund(tx, payment) : payment }
}

/** The card of an account that is closed is not kept. */
function withoutCard(known: ProviderPayment | undefined): ProviderPayment | undefined {
  return known?.state === 'succeeded' ? { ...known, method: null } : known
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

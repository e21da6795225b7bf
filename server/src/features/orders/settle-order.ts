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
  takeOutcomes,
} from '../payments/payments.service.ts'
import { payments } from '../payments/payments.table.ts'
import { issueCreditNote } from '../receipts/receipts.service.ts'
import {
  closeOrder,
  type ExecuteParts,
  executeOrders,
  type HeldOrder,
  holdWholeOrders,
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
  if (payment?.state !== 'open') return await settleKnown(parts, { orderId: order.id, known: undefined }, now)
  const provider = parts.providers.get(payment.provider)
  if (!provider) throw new ProviderSilent(`Payment provider ${payment.provider} is switched off.`)
  const known = await provider.query(payment.key)
  return await settleKnown(parts, { orderId: order.id, known }, now)
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
export async function settleKnown(parts: SettleParts, known: KnownPayment, now: number): Promise<Order> {
  return await giveBackDue(parts, await takeOverOne(parts, known, now), now)
}

/**
 * As {@link settleKnown}, for many orders in one transaction. Where that fails, each is settled by itself: one that cannot be executed does
 * not stop the others.
 */
export async function settleAll(
  parts: SettleParts,
  known: readonly KnownPayment[],
  now: number,
): Promise<void> {
  const { log } = parts
  if (known.length === 0) return
  try {
    for (const taken of await takeOverAndExecute(parts, known, now)) await giveBackDue(parts, taken, now)
  } catch (error) {
    log.warn({ err: error, orders: known.length }, 'orders are settled one by one')
    for (const each of known) {
      try {
        await settleKnown(parts, each, now)
      } catch (err) {
        log.error({ err, order: each.orderId }, 'an order could not be settled')
      }
    }
  }
}

/** An order, and what is known of its payment. */
export interface KnownPayment {
  orderId: number
  known: ProviderPayment | undefined
}

/** Gives the payment of an order back where that is due. @returns the order */
async function giveBackDue(
  { db, providers }: SettleParts,
  { order, payment }: HeldOrder,
  now: number,
): Promise<Order> {
  if (payment?.state === 'refundDue')
    await refund(
      { db, providers, onRefunded: async (tx, { id }) => await issueCreditNote(tx, id, now) },
      payment,
      now,
    )
  return order
}

/** Takes over what is known, and executes what is paid in the same transaction (docs/decisions/0060). */
async function takeOverAndExecute(
  parts: SettleParts,
  known: readonly KnownPayment[],
  now: number,
): Promise<HeldOrder[]> {
  return await despiteDeadlock(
    async () =>
      await parts.db.transaction(async (tx) => {
        const taken = await takeOver(tx, parts, known, now)
        const isPaid = ({ order }: HeldOrder) => order.state === 'to_execute'
        const executed = await executeOrders(tx, parts, taken.filter(isPaid), now)
        return [...executed, ...taken.filter((each) => !isPaid(each))]
      }),
  )
}

/** As {@link takeOverAndExecute}, for one order. Its payment is taken over, even if it cannot be executed. */
async function takeOverOne(parts: SettleParts, known: KnownPayment, now: number): Promise<HeldOrder> {
  const { db } = parts
  const { orderId } = known
  try {
    return only(await takeOverAndExecute(parts, [known], now))
  } catch (error) {
    // Nothing of it has happened. Money that has come is known all the same, whatever stands in the way of giving something for it.
    const isImpossible = error instanceof ServiceError || namesWhatIsGone(error)
    const taken = await db.transaction(async (tx) => {
      const held = only(await takeOver(tx, parts, [known], now))
      if (held.order.state !== 'to_execute') return held
      if (isImpossible) return await refuseOrder(tx, parts, held, now)
      await tx.update(orders).set({ state: 'to_execute' }).where(eq(orders.id, orderId))
      return held
    })
    if (taken.order.state === 'to_execute') throw error
    return taken
  }
}

function only(held: readonly HeldOrder[]): HeldOrder {
  const [one] = held
  if (!one || held.length > 1) throw new Error(`One order was asked for, and ${held.length} were found.`)
  return one
}

/** Takes over what is known of payments. @returns orders that are paid as `to_execute`, which is not stored yet */
async function takeOver(
  tx: Transaction,
  parts: SettleParts,
  known: readonly KnownPayment[],
  now: number,
): Promise<HeldOrder[]> {
  const knownOf = new Map(known.map((each) => [each.orderId, each.known]))
  const all = await holdWholeOrders(tx, [...knownOf.keys()])
  const heard = all.flatMap(({ order, account, payment }) => {
    const outcome = knownOf.get(order.id)
    return payment ? [{ payment, known: isOpen(account) ? outcome : withoutCard(outcome) }] : []
  })
  const changed = await takeOutcomes(tx, heard, now)
  const taken: HeldOrder[] = []
  for (const held of all) {
    const payment = held.payment && (changed.get(held.payment.id) ?? held.payment)
    taken.push(await comeTo(tx, parts, { ...held, payment }, knownOf.get(held.order.id), now))
  }
  return taken
}

/** Brings an order to where its payment is, except that nothing is given for it. */
async function comeTo(
  tx: Transaction,
  { retryDays }: SettleParts,
  { order, account, payment }: HeldOrder,
  known: ProviderPayment | undefined,
  now: number,
): Promise<HeldOrder> {
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

import { and, eq } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { isForeignKeyViolation } from '../../../database/broken-keys.ts'
import type { Transaction } from '../../../database/connection.ts'
import { inRounds, inSlices, limitLockWaits } from '../../../database/in-slices.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { ServiceError } from '../../../http/errors.ts'
import { isOpen } from '../../people/accounts/accounts.service.ts'
import type { ProviderPayment } from '../payments/payment-provider.ts'
import { isReceived, oweRefund, type Payment, takeOutcomes } from '../payments/payments.service.ts'
import {
  bookOrders,
  closeOrder,
  declinePeriod,
  type ExecutedOrder,
  type ExecuteParts,
  executeOrders,
  type HeldOrder,
  holdWholeOrders,
  type Order,
  refuseOrder,
} from './execute-order.ts'
import { orders, subscriptionEmails, subscriptionPeriods } from './orders.table.ts'

/** Dependencies of applying payments. */
export interface TakeOverParts extends ExecuteParts {
  log: FastifyBaseLogger
}

/** An order with the state of its payment at the provider. */
export interface KnownPayment {
  orderId: number
  known: ProviderPayment | undefined
  /** When the provider was queried, in milliseconds since the Unix epoch. */
  at: number
}

/**
 * Applies the reported state of a payment. Executes the order if it is paid.
 *
 * @returns the order after the change
 */
export type TakeOver = (known: KnownPayment) => Promise<HeldOrder>

/**
 * Returns the function that applies reported payment states. Concurrent calls share one transaction
 * (docs/decisions/0064).
 */
export function openTakeOver(parts: TakeOverParts): TakeOver {
  return inSlices({
    log: parts.log,
    together: async (known) => {
      const taken = new Map((await takeOverAndExecute(parts, known)).map((held) => [held.order.id, held]))
      return known.map(({ orderId }) => taken.get(orderId) ?? new Error(`Order ${orderId} was not settled.`))
    },
    alone: async (known) => await takeOverOne(parts, known),
  })
}

/** Applies reported payment states, and executes the paid orders in the same transaction (docs/decisions/0060). */
async function takeOverAndExecute(
  parts: TakeOverParts,
  known: readonly KnownPayment[],
): Promise<HeldOrder[]> {
  const now = latest(known)
  return await retryOnDeadlock(
    async () =>
      await parts.db.transaction(async (tx) => {
        await limitLockWaits(tx, known)
        const { taken, received } = await holdAndTakeOver(tx, parts, known)
        const isPaid = ({ order }: HeldOrder) => order.state === 'to_execute'
        const executed: ExecutedOrder[] = []
        // Execute renewals first, because an upgrade must see the renewal of the plan that it replaces. Execute
        // purchases of one account one after the other, because each must see the purchases that exclude it.
        const { bought = [], renewals = [] } = Object.groupBy(taken.filter(isPaid), ({ order }) =>
          order.periodId === null ? 'bought' : 'renewals',
        )
        for (const some of [renewals, ...inRounds(bought, ({ order }) => order.accountId)])
          if (some.length > 0) executed.push(...(await executeOrders(tx, some, now)))
        await bookOrders(tx, parts, { received, executed }, now)
        return [...executed, ...taken.filter((each) => !isPaid(each))]
      }),
  )
}

function latest(known: readonly KnownPayment[]): number {
  return Math.max(...known.map(({ at }) => at))
}

/**
 * Applies the reported state of one payment and executes its order. Stores the payment even if the order cannot be
 * executed.
 */
async function takeOverOne(parts: TakeOverParts, known: KnownPayment): Promise<HeldOrder> {
  const { db } = parts
  const { orderId, at: now } = known
  try {
    return only(await takeOverAndExecute(parts, [known]))
  } catch (error) {
    // The rollback has also removed the booking of the received payment. Book it again, without executing the
    // order.
    const isImpossible = error instanceof ServiceError || isForeignKeyViolation(error)
    const taken = await db.transaction(async (tx) => {
      const { taken, received } = await holdAndTakeOver(tx, parts, [known])
      await bookOrders(tx, parts, { received, executed: [] }, now)
      const held = only(taken)
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

/**
 * Applies reported payment states without executing orders.
 *
 * @returns the orders, and the payments to book. A paid order has the state `to_execute`, which is not stored yet
 */
async function holdAndTakeOver(
  tx: Transaction,
  parts: TakeOverParts,
  known: readonly KnownPayment[],
): Promise<{ taken: HeldOrder[]; received: Payment[] }> {
  const knownOf = byOrder(known)
  const all = await holdWholeOrders(tx, [...knownOf.keys()])
  const heard = all.flatMap(({ order, account, payment }) => {
    const outcome = knownOf.get(order.id)?.known
    return payment ? [{ payment, known: isOpen(account) ? outcome : withoutCard(outcome) }] : []
  })
  const changed = await takeOutcomes(tx, heard)
  const taken: HeldOrder[] = []
  for (const held of all) {
    const payment = held.payment && (changed.get(held.payment.id) ?? held.payment)
    const its = knownOf.get(held.order.id)
    taken.push(its ? await comeTo(tx, parts, { ...held, payment }, its) : held)
  }
  return { taken, received: [...changed.values()].filter(isReceived) }
}

/**
 * Returns the payment state to apply to each order. If concurrent callers report several states of an order, the
 * state with the greatest weight is applied. Of states with the same weight, the latest is applied.
 */
function byOrder(known: readonly KnownPayment[]): Map<number, KnownPayment> {
  const orders = new Map<number, KnownPayment>()
  for (const each of known) {
    const other = orders.get(each.orderId)
    if (!other || weight(each) > weight(other) || (weight(each) === weight(other) && each.at >= other.at))
      orders.set(each.orderId, each)
  }
  return orders
}

/**
 * Precedence of reported states. Final states outweigh other states. `processing` outweighs `open`, because an
 * order must not expire while a bank may still accept its payment.
 */
const WEIGHTS: Record<ProviderPayment['state'], number> = { open: 0, processing: 1, failed: 2, succeeded: 3 }

function weight({ known }: KnownPayment): number {
  return known ? WEIGHTS[known.state] : 0
}

/** Updates an order to the state of its payment, without executing the order. */
async function comeTo(
  tx: Transaction,
  { retryDays }: TakeOverParts,
  { order, account, payment }: HeldOrder,
  { known, at: now }: KnownPayment,
): Promise<HeldOrder> {
  if (order.state === 'submitted') {
    const isFree = payment === undefined && order.cents === 0
    if (isFree || payment?.state === 'succeeded')
      return { order: { ...order, state: 'to_execute' }, account, payment }
    // Do not let an order expire while a bank processes its payment: the bank may still accept it.
    const mayExpire = known?.state !== 'processing' && order.expiresAt <= now
    const isFailed = payment?.state === 'failed'
    if (!isFailed && !mayExpire) return { order, account, payment }
    // Without a request for a confirmation, the provider did not answer in time, which is no fault of the customer.
    const unpaid = (await isConfirmationAsked(tx, order)) ? 'paymentUnconfirmed' : null
    await declinePeriod(tx, order, { now, retryDays, email: isFailed ? 'paymentDeclined' : unpaid })
    return { order: await closeOrder(tx, order, isFailed ? 'failed' : 'expired', now), account, payment }
  }
  // Failed and expired are final states (spec 36). A payment that succeeds later is refunded.
  const isOver = order.state === 'failed' || order.state === 'expired'
  return { order, account, payment: payment && isOver ? await oweRefund(tx, payment) : payment }
}

/** Returns whether the customer was asked to confirm the payment of an order for a period. */
async function isConfirmationAsked(tx: Transaction, { periodId, expiresAt }: Order): Promise<boolean> {
  if (periodId === null) return false
  const { id, subscriptionId } = subscriptionPeriods
  const [asked] = await tx
    .select({ id: subscriptionEmails.id })
    .from(subscriptionEmails)
    .innerJoin(subscriptionPeriods, eq(subscriptionId, subscriptionEmails.subscriptionId))
    .where(
      and(
        eq(id, periodId),
        eq(subscriptionEmails.letter, 'paymentToConfirm'),
        eq(subscriptionEmails.about, expiresAt),
      ),
    )
  return asked !== undefined
}

/** Removes the card from a reported payment state, because cards of closed accounts are not saved. */
function withoutCard(known: ProviderPayment | undefined): ProviderPayment | undefined {
  return known?.state === 'succeeded' ? { ...known, method: null } : known
}

import { DEFAULT_LANGUAGE, isLanguage } from '@ondine/contract/languages'
import { and, asc, eq, isNull, lte } from 'drizzle-orm'
import type { Database, Transaction } from '../../database/connection.ts'
import { oneOf } from '../../database/one-of.ts'
import { ServiceError } from '../../http/errors.ts'
import { type Account, isOpen } from '../accounts/accounts.service.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { addGrant, GRANT_STATUS } from '../entitlements/grants.service.ts'
import { offerRevisions, offers } from '../offers/offers.table.ts'
import { singleRight } from '../offers/single-right.ts'
import { bookSales } from '../payments/ledger.ts'
import { holdPayments, oweRefund, type Payment } from '../payments/payments.service.ts'
import { issueReceipts } from '../receipts/receipts.service.ts'
import type { ReceiptLine } from '../receipts/receipts.table.ts'
import { releaseUse } from '../vouchers/vouchers.service.ts'
import { forgetBought } from './cart.service.ts'
import { holdingsFor, requireFree } from './cart-rules.ts'
import { planOf, SOLD_OFFER } from './holdings.ts'
import { titleOf } from './offer-title.ts'
import { orderItems, orders, subscriptions } from './orders.table.ts'
import { extend, noteDecline } from './period-outcomes.ts'
import { periodsAfter, trialEnd } from './periods.ts'
import { extraTime } from './plan-changes.ts'
import { endReplaced } from './replace-subscription.ts'
import type { Subscription } from './subscription-periods.ts'

export type Order = typeof orders.$inferSelect

/** An item with the terms that it was bought by. */
interface SoldItem {
  item: typeof orderItems.$inferSelect
  offer: {
    id: number
    key: string
    type: (typeof offers.$inferSelect)['type']
    terms: (typeof offerRevisions.$inferSelect)['terms']
  }
}

/** What orders are executed with. */
export interface ExecuteParts {
  db: Database
  /** Days after a declined renewal on which its card is charged again. */
  retryDays: readonly number[]
  /** Who sells, on receipts: a line each (`SELLER`). */
  seller: readonly string[]
}

/** An order with its account and its payment, which nobody else changes until the transaction ends. */
export interface HeldOrder {
  order: Order
  account: Account
  payment: Payment | undefined
}

/** An order, which nobody else changes until the transaction ends. */
export async function holdOrder(tx: Transaction, id: number): Promise<Order> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, id)).for('update')
  if (!order) throw new Error(`There is no order ${id}.`)
  return order
}

/**
 * As {@link holdOrder}, for many, each with its account and its payment. One order of an account at a time: two that give the same plan see
 * each other.
 */
export async function holdWholeOrders(tx: Transaction, ids: readonly number[]): Promise<HeldOrder[]> {
  const found = await tx
    .select({ order: orders, account: accounts })
    .from(orders)
    .innerJoin(accounts, eq(orders.accountId, accounts.id))
    .where(oneOf(orders.id, ids))
    // Everybody who holds several takes them in this order.
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

/**
 * Executes orders that are paid: their states, the movements in the ledger and the rights.
 *
 * @param now milliseconds since the Unix epoch
 * @throws ServiceError for what cannot be given any more, or an error of the database that names what is gone: another order gave it, a
 *   title has left, or the account was closed. The transaction has to end without effect then
 */
export async function executeOrders(
  tx: Transaction,
  { seller }: Pick<ExecuteParts, 'seller'>,
  held: readonly HeldOrder[],
  now: number,
): Promise<HeldOrder[]> {
  if (held.length === 0) return []
  if (!held.every(({ account }) => isOpen(account))) throw new ServiceError('tokenInvalid')
  const sold = await soldItems(
    tx,
    held.map(({ order }) => order.id),
  )
  const lines = await renew(tx, held, sold, now)
  for (const { order, payment } of held)
    if (order.periodId === null)
      lines.set(order.id, await give(tx, order, sold.get(order.id) ?? [], payment, now))
  // A payment of 0 cents has saved a card.
  const paid = held.flatMap(({ order: { id, vatBasisPoints }, account, payment }) =>
    payment && payment.cents > 0 ? [{ payment, account, vatBasisPoints, lines: lines.get(id) ?? [] }] : [],
  )
  await bookSales(
    tx,
    paid.map(({ payment: { id: paymentId, cents }, vatBasisPoints }) => ({
      paymentId,
      cents,
      vatBasisPoints,
      at: now,
    })),
  )
  const outcome = { state: 'executed' as const, closedAt: now }
  await tx
    .update(orders)
    .set(outcome)
    .where(
      oneOf(
        orders.id,
        held.map(({ order }) => order.id),
      ),
    )
  await issueReceipts(tx, paid, { seller, at: now })
  return held.map(({ order, ...same }) => ({ ...same, order: { ...order, ...outcome } }))
}

/** Gives what was bought in the shop. @returns the lines of its receipt */
async function give(
  tx: Transaction,
  order: Order,
  sold: readonly SoldItem[],
  payment: Payment | undefined,
  now: number,
): Promise<ReceiptLine[]> {
  const replaced = await endOld(tx, order, sold, now)
  const offers = sold.map(({ offer }) => offer)
  requireFree(offers, await holdingsFor(tx, offers, order.accountId, now))
  const lines: ReceiptLine[] = []
  for (const each of sold) {
    const isSubscription = each.offer.type === 'subscription'
    const to = isSubscription
      ? await subscribe(tx, order, each, payment?.methodId ?? replaced?.methodId ?? null, now)
      : await giveSingle(tx, order, each, now)
    const { cents, discountCents, creditCents } = each.item
    lines.push({
      ...receiptTitle(each, payment),
      cents,
      discountCents,
      creditCents,
      ...usual(each),
      from: now,
      to,
    })
  }
  await forgetBought(tx, order.accountId, order.content)
  return lines
}

/** Ends the subscription that an upgrade replaces. @returns it as it was; undefined for any other order */
async function endOld(
  tx: Transaction,
  { accountId, replacesId, submittedAt }: Order,
  sold: readonly SoldItem[],
  now: number,
): Promise<Subscription | undefined> {
  const [upgrade] = sold
  if (replacesId === null || !upgrade) return undefined
  const { item, offer } = upgrade
  const { creditCents } = item
  return await endReplaced(tx, { accountId, replacesId, submittedAt, creditCents, offer }, now)
}

/** Gives the next periods of subscriptions. @returns the lines of their receipts, by order */
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
    const { cents, discountCents } = each.item
    if (period)
      lines.set(orderId, [
        {
          ...receiptTitle(each, payment),
          cents,
          discountCents,
          ...usual(each),
          from: period.startsAt,
          to: period.endsAt,
        },
      ])
  }
  return lines
}

/** The price after the promotion that an item was charged by. A trial charges nothing by it yet. */
function usual({ item: { promotion, trialDays }, offer }: SoldItem): Pick<ReceiptLine, 'usualCents'> {
  return promotion === null || trialDays > 0 ? {} : { usualCents: offer.terms.cents }
}

/** What a receipt calls an item, and lists of receipts in other languages; the description of a single purchase says what it is of. */
function receiptTitle(
  { offer }: SoldItem,
  payment: Payment | undefined,
): Pick<ReceiptLine, 'title' | 'titles'> {
  if (!payment) return { title: '' }
  if (offer.type !== 'subscription') return { title: payment.description }
  const languages = Object.keys(offer.terms.names).filter(isLanguage)
  return {
    title: titleOf(offer, isLanguage(payment.language) ? payment.language : DEFAULT_LANGUAGE),
    titles: Object.fromEntries(languages.map((language) => [language, titleOf(offer, language)])),
  }
}

/** Fails an order that is paid and that nothing can be given for, and owes its payment back. */
export async function refuseOrder(
  tx: Transaction,
  { retryDays }: Pick<ExecuteParts, 'retryDays'>,
  { order, account, payment }: HeldOrder,
  now: number,
): Promise<HeldOrder> {
  const owed = payment && (await oweRefund(tx, payment))
  if (order.periodId !== null) await noteDecline(tx, order.periodId, { now, retryDays, isTold: false })
  return { order: await closeOrder(tx, order, 'failed', now), account, payment: owed }
}

/** Ends an order that gives nothing. The use of its voucher goes back. */
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

/** The items of orders, by order. */
async function soldItems(tx: Transaction, orderIds: readonly number[]): Promise<Map<number, SoldItem[]>> {
  const rows = await tx
    .select({ item: orderItems, offer: SOLD_OFFER })
    .from(orderItems)
    .innerJoin(offerRevisions, eq(orderItems.offerRevisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .where(oneOf(orderItems.orderId, orderIds))
    .orderBy(asc(orderItems.id))
    .prepare('sold_items')
    .execute()
  return Map.groupBy(rows, ({ item }) => item.orderId)
}

/** Begins a subscription, with the rights of its first period. @returns when that ends */
async function subscribe(
  tx: Transaction,
  { accountId }: Order,
  { item, offer }: SoldItem,
  methodId: number | null,
  now: number,
): Promise<number> {
  const { recurrence, packageIds } = offer.terms
  if (recurrence === null) throw new Error(`Subscription ${offer.key} has no period.`)
  const plan = planOf(offer)
  // One that was cancelled and has run out makes way.
  await tx
    .update(subscriptions)
    .set({ endedAt: now })
    .where(
      and(
        eq(subscriptions.accountId, accountId),
        eq(subscriptions.plan, plan),
        isNull(subscriptions.endedAt),
        eq(subscriptions.statusId, GRANT_STATUS.cancelled),
        lte(subscriptions.periodEnd, now),
      ),
    )
  const hasTrial = item.trialDays > 0
  const startedAt = hasTrial ? trialEnd(now, item.trialDays) : now + extraTime(offer.terms, item.creditCents)
  const periodEnd = hasTrial ? startedAt : periodsAfter(startedAt, recurrence, 1)
  await tx.insert(subscriptions).values({
    accountId,
    plan,
    offerRevisionId: item.offerRevisionId,
    orderItemId: item.id,
    statusId: GRANT_STATUS.active,
    startedAt,
    period: hasTrial ? 0 : 1,
    periodStart: now,
    periodEnd,
    hadTrial: hasTrial,
    promotion: item.promotion,
    methodId,
  })
  for (const packageId of packageIds)
    await addGrant(tx, {
      accountId,
      opens: { packageId },
      source: 'subscription',
      sourceId: String(item.id),
      from: now,
      to: periodEnd,
    })
  return periodEnd
}

/** Gives the right of a single purchase. @returns when a channel ends; null for what ends after its first play */
async function giveSingle(
  tx: Transaction,
  { accountId }: Order,
  { item, offer }: SoldItem,
  now: number,
): Promise<number | null> {
  const right = singleRight(offer, item.assetId, now)
  await addGrant(tx, {
    accountId,
    ...right,
    source: offer.type === 'transactional' ? 'rental' : 'payPerView',
    sourceId: String(item.id),
  })
  return offer.terms.opens.kind === 'channel' ? right.to : null
}

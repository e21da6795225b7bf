import { ORDER_SECONDS } from '@ondine/contract/orders'
import type { CHANGE_STARTS } from '@ondine/contract/subscriptions'
import { and, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { notFoundBy } from '../../../http/errors.ts'
import type { CurrentOffer, OfferBook } from '../offers/offer-book.service.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import { chargeable } from '../payments/payments.service.ts'
import { type AccountSubscription, subscriptionsOf } from './account-subscriptions.ts'
import { type Buyer, isSoldHere } from './cart.service.ts'
import { areExclusive } from './cart-rules.ts'
import { dueFor, type Renewal, renewalsOf } from './due.ts'
import { holdingsOf } from './holdings.service.ts'
import { orderItems, orders, subscriptionPeriods } from './orders.table.ts'
import { costsMorePerDay, timePaidBy, unusedCents } from './proration.ts'
import type { Subscription } from './subscription-periods.ts'

/** How long an amount that was shown to the customer stays valid, in milliseconds. */
const SHOWN_MS = ORDER_SECONDS * 1000

/**
 * An available change of a subscription to another plan. Amounts are cents with VAT, times milliseconds since the
 * Unix epoch.
 */
export interface PlanChange {
  offer: CurrentOffer
  starts: (typeof CHANGE_STARTS)[number]
  at: number
  /** The price of the first period of the new plan. */
  priceCents: number
  /** Credit for the unused time of the subscriptions that end now. */
  creditCents: number
  /** Amount due: the price without the credit, at least 0. */
  cents: number
  /**
   * The lowest amount that was due within the last 15 minutes. The amount rises with time, because the credit
   * falls.
   */
  leastCents: number
  /** Later charges, after the first charge. */
  renewals: Renewal[]
  /** The account's options that end, because the new plan does not allow them. */
  ends: AccountSubscription[]
}

/** The buyer who changes a plan. */
export type Changer = Pick<Buyer, 'account' | 'sells' | 'now'>

/**
 * Returns the plans to which a subscription can change, the cheapest first. The account cannot hold such a plan
 * together with the subscription (-1103), but can hold it with all its other subscriptions. A change to a plan
 * that costs more per day is an upgrade. Options and unpaid subscriptions cannot change.
 *
 * @throws ServiceError notFound if the account has no such subscription
 */
export async function planChanges(
  { db, book }: { db: Database | Transaction; book: OfferBook },
  changer: Changer,
  subscriptionId: number,
): Promise<PlanChange[]> {
  const { account, now } = changer
  const all = await subscriptionsOf(db, account.id, now)
  const held = all.find(({ subscription }) => subscription.id === subscriptionId)
  if (!held) throw notFoundBy('subscriptionId')
  const { subscription, offer: old } = held
  if (old.terms.requires.length > 0 || subscription.periodEnd <= now) return []
  const { running, bought } = await holdingsOf(db, account.id, now)
  const paid = new Map<number, PaidItem>()
  for (const each of all) paid.set(each.subscription.id, await paidItem(db, each.subscription))
  return plansInPlaceOf(old, book, changer).flatMap((offer) => {
    const { terms } = offer
    if (terms.once && bought.has(offer.id)) return []
    const ends = endedOptions(held, offer, all)
    const ended = [held, ...ends].map((each) => each.subscription)
    const kept = running.filter((each) => !ended.some(({ id }) => id === each.subscriptionId))
    if (kept.some((each) => areExclusive(each, offer))) return []
    if (!costsMorePerDay(terms, old.terms)) return [{ offer, ends, ...laterChange(terms, subscription) }]
    const creditAt = (time: number) => ended.reduce((sum, each) => sum + creditOf(each, paid, time), 0)
    return [{ offer, ends, ...upgrade(terms, creditAt, now) }]
  })
}

/** Returns the plans on sale that exclude the plan `old`, so that an account can only change to them. */
export function plansInPlaceOf(
  old: AccountSubscription['offer'],
  book: OfferBook,
  changer: Pick<Changer, 'sells' | 'now'>,
): CurrentOffer[] {
  return book
    .onSale(changer.now)
    .filter(
      (offer) =>
        offer.type === 'subscription' &&
        offer.terms.requires.length === 0 &&
        isSoldHere(offer, changer) &&
        offer.id !== old.id &&
        areExclusive(offer, old),
    )
}

/** Start, amounts and later charges of a change. */
type Due = Omit<PlanChange, 'offer' | 'ends'>

function laterChange(terms: OfferTerms, { periodEnd: at }: Subscription): Due {
  const cents = dueFor(terms, true).cents
  const renewals = renewalsOf(terms, 0, at)
  return { starts: 'nextPeriod', at, priceCents: cents, creditCents: 0, cents, leastCents: cents, renewals }
}

function upgrade(terms: OfferTerms, creditAt: (time: number) => number, now: number): Due {
  const priceCents = dueFor(terms, true).cents
  const creditCents = creditAt(now)
  return {
    starts: 'now',
    at: now,
    priceCents,
    creditCents,
    cents: chargeable(priceCents - creditCents),
    leastCents: chargeable(priceCents - creditAt(now - SHOWN_MS)),
    renewals: renewalsOf(terms, 0, now + extraTime(terms, creditCents)),
  }
}

/**
 * Returns the options of a subscription that end with a change of plan: options that the new plan excludes, and options
 * for which the account will hold none of the required plans.
 */
export function endedOptions(
  held: AccountSubscription,
  plan: { key: string; terms: Pick<OfferTerms, 'plan' | 'excludes'> },
  all: readonly AccountSubscription[],
): AccountSubscription[] {
  const keys = new Set(all.filter((each) => each !== held).map(({ offer }) => offer.key)).add(plan.key)
  return all.filter(({ offer }) => {
    const { requires } = offer.terms
    if (!requires.includes(held.offer.key)) return false
    return areExclusive(offer, plan) || !requires.some((key) => keys.has(key))
  })
}

/**
 * Returns by how many milliseconds credit extends the first period. Only credit above the price pays for extra
 * time.
 */
export function extraTime(terms: OfferTerms, creditCents: number): number {
  return timePaidBy(Math.max(0, creditCents - dueFor(terms, true).cents), terms)
}

/** The order item that paid for a period. */
export interface PaidItem {
  itemId: number
  /** Amount that the customer paid for the period, in cents. Includes credit, but not the setup fee. */
  cents: number
}

/** Returns the order item that paid the current period of a subscription. */
export async function paidItem(
  db: Database | Transaction,
  { id, orderItemId, period, firstPeriod, isMigrated }: Subscription,
): Promise<PaidItem> {
  const columns = { item: orderItems, terms: offerRevisions.terms }
  const [renewal] = await db
    .select({ ...columns, changesTo: subscriptionPeriods.changesTo })
    .from(subscriptionPeriods)
    .innerJoin(orders, and(eq(orders.periodId, subscriptionPeriods.id), eq(orders.state, 'executed')))
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .innerJoin(offerRevisions, eq(orderItems.offerRevisionId, offerRevisions.id))
    .where(and(eq(subscriptionPeriods.subscriptionId, id), eq(subscriptionPeriods.period, period)))
  const [purchase] = renewal
    ? []
    : await db
        .select(columns)
        .from(orderItems)
        .innerJoin(offerRevisions, eq(orderItems.offerRevisionId, offerRevisions.id))
        .where(eq(orderItems.id, orderItemId))
  const found = renewal ?? purchase
  if (!found) throw new Error(`Subscription ${id} was not bought.`)
  const { item, terms } = found
  // A setup fee is charged with the purchase, and with the first period after a change of plan.
  const hasSetup = period <= firstPeriod && (!renewal || (renewal.changesTo !== null && !isMigrated))
  const setupCents = hasSetup ? terms.setupCents : 0
  return { itemId: item.id, cents: Math.max(0, item.cents + item.creditCents - setupCents) }
}

/** Returns the credit for the unused time of a subscription's current period, in cents. */
export function creditOf(
  { id, periodStart: from, periodEnd: to }: Subscription,
  paid: ReadonlyMap<number, PaidItem>,
  at: number,
): number {
  return unusedCents({ cents: paid.get(id)?.cents ?? 0, from, to }, at)
}

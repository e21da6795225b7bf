import { periodsAfter } from '../../../time/periods.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { type Introduction, withPromotion } from '../offers/promotions.service.ts'
import type { subscriptionPeriods, subscriptions } from './orders.table.ts'

export type Subscription = typeof subscriptions.$inferSelect
export type SubscriptionPeriod = typeof subscriptionPeriods.$inferSelect

/** A period of a subscription. Times are milliseconds since the Unix epoch. */
export interface Period {
  period: number
  startsAt: number
  endsAt: number
  /** Price of the period, VAT included. */
  cents: number
  /** The terms that begin with the period; null if the terms do not change. */
  begins: NewTerms | null
}

type Counted = Pick<
  Subscription,
  'startedAt' | 'firstPeriod' | 'period' | 'periodEnd' | 'isMigrated' | 'promotion' | 'migratesFrom'
>
type Priced = Pick<OfferTerms, 'recurrence' | 'cents' | 'introduction'>

/** A revision of an offer. */
interface NewTerms {
  revisionId: number
  terms: OfferTerms
}

/** New offer of a subscription after a change of plan. */
export interface PeriodChange extends NewTerms {
  key: string
}

/** Scheduled changes of the terms of a subscription. */
export interface ComingTerms {
  /** Change of plan that the customer has scheduled for the next period. Takes precedence over a migration. */
  change: PeriodChange | null
  /** Migration that the operator has announced. It begins at `migratesFrom` or later. */
  migration: NewTerms | null
}

/**
 * Returns the period from which periods are counted under new terms: its start and its number. Another offer
 * restarts the count, so that its introductory price and its setup fee apply. A new revision of the same offer
 * continues the count, so that the day of the month stays the same.
 */
export function countedFrom(
  { startedAt, firstPeriod, period, periodEnd }: Counted,
  isOtherOffer: boolean,
): Pick<Subscription, 'startedAt' | 'firstPeriod'> {
  return isOtherOffer ? { startedAt: periodEnd, firstPeriod: period + 1 } : { startedAt, firstPeriod }
}

/**
 * Returns the next period of a subscription. Skips periods that ended before the service could charge them,
 * because the customer had no access then.
 *
 * @param now milliseconds since the Unix epoch
 */
export function nextPeriod(
  subscription: Counted,
  terms: Priced,
  now: number,
  { change, migration }: ComingTerms,
): Period {
  const counted = countedFrom(subscription, change !== null)
  const startOf = startsOf(counted, change?.terms ?? terms)
  let period = subscription.period + 1
  while (startOf(period + 1) <= now) period++
  const startsAt = startOf(period)
  const time = { period, startsAt, endsAt: startOf(period + 1) }
  if (change) {
    const setupCents = period === counted.firstPeriod ? change.terms.setupCents : 0
    return { ...time, cents: setupCents + priceOf(change.terms, counted, period), begins: change }
  }
  const own = ownTerms(subscription, terms)
  const { migratesFrom } = subscription
  const isMigrating = migratesFrom !== null && isMigratedBy(own, counted, { period, startsAt }, migratesFrom)
  if (migration && isMigrating) return { ...time, cents: migration.terms.cents, begins: migration }
  return { ...time, cents: priceOf(own, counted, period), begins: null }
}

/**
 * Returns the terms of a subscription with the promotion of its purchase applied. After a migration, the
 * introductory price of the new terms does not apply.
 */
function ownTerms(
  { isMigrated, promotion }: Pick<Subscription, 'isMigrated' | 'promotion'>,
  terms: Priced,
): Priced {
  return isMigrated ? { ...terms, introduction: null } : withPromotion(terms, promotion)
}

/**
 * Returns the promotion that applies to a period after the first purchase; null if the period has the regular
 * price.
 */
export function promotionAt(
  { isMigrated, promotion, firstPeriod }: Pick<Subscription, 'isMigrated' | 'promotion' | 'firstPeriod'>,
  { period, changesTo }: Pick<SubscriptionPeriod, 'period' | 'changesTo'>,
): Introduction | null {
  if (isMigrated || promotion === null || changesTo !== null) return null
  return period - firstPeriod < promotion.periods ? promotion : null
}

/** Returns a function that gives the start of a period by its number. */
function startsOf(
  { startedAt, firstPeriod }: Pick<Subscription, 'startedAt' | 'firstPeriod'>,
  { recurrence }: Pick<OfferTerms, 'recurrence'>,
): (period: number) => number {
  if (recurrence === null) throw new Error('A one-time payment has no periods.')
  return (period) => periodsAfter(startedAt, recurrence, period - firstPeriod)
}

function priceOf(
  { cents, introduction }: Priced,
  { firstPeriod }: Pick<Subscription, 'firstPeriod'>,
  period: number,
): number {
  return introduction !== null && period - firstPeriod < introduction.periods ? introduction.cents : cents
}

/**
 * Returns whether a migration applies to a period. A migration waits until the last period with a promised
 * introductory price is over.
 */
function isMigratedBy(
  { introduction }: Priced,
  { firstPeriod }: Pick<Subscription, 'firstPeriod'>,
  { period, startsAt }: Pick<Period, 'period' | 'startsAt'>,
  from: number,
): boolean {
  return startsAt >= from && period - firstPeriod >= (introduction?.periods ?? 0)
}

/**
 * Returns the start of the first period to which a migration applies.
 *
 * @param from day of the migration, in milliseconds since the Unix epoch
 */
export function migrationStart(subscription: Counted, terms: Priced, from: number): number {
  const own = ownTerms(subscription, terms)
  const startOf = startsOf(subscription, own)
  let period = subscription.period + 1
  while (!isMigratedBy(own, subscription, { period, startsAt: startOf(period) }, from)) period++
  return startOf(period)
}

/**
 * Returns when a declined charge is retried, in milliseconds since the Unix epoch. `retryDays` count from the
 * first decline.
 *
 * @returns undefined after the last retry
 */
export function nextRetry(declinedAt: number, retryDays: readonly number[], now: number): number | undefined {
  return retryDays.map((days) => declinedAt + days * DAY_MS).find((at) => at > now)
}

export const DAY_MS = 86_400_000

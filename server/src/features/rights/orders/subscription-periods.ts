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
  /** By the terms of the purchase, or of those that begin with it. VAT included. */
  cents: number
  /** The terms that begin with it; null when it has those of the period before. */
  begins: NewTerms | null
}

type Counted = Pick<
  Subscription,
  'startedAt' | 'firstPeriod' | 'period' | 'periodEnd' | 'isMigrated' | 'promotion' | 'migratesFrom'
>
type Priced = Pick<OfferTerms, 'recurrence' | 'cents' | 'introduction'>

/** A revision of an offer. */
export interface NewTerms {
  revisionId: number
  terms: OfferTerms
}

/** An offer that the next period of a subscription changes to. */
export interface PeriodChange extends NewTerms {
  key: string
}

/** The terms that a subscription is to have. */
export interface ComingTerms {
  /** Noted by its customer, for the next period. It goes before a migration. */
  change: PeriodChange | null
  /** Announced by its operator, from `migratesFrom` on. */
  migration: NewTerms | null
}

/**
 * From when periods are counted once terms have begun. Another offer begins anew, with its introduction and its setup fee; a new revision of
 * the same offer goes on, so that a month keeps its day.
 */
export function countedFrom(
  { startedAt, firstPeriod, period, periodEnd }: Counted,
  isOtherOffer: boolean,
): Pick<Subscription, 'startedAt' | 'firstPeriod'> {
  return isOtherOffer ? { startedAt: periodEnd, firstPeriod: period + 1 } : { startedAt, firstPeriod }
}

/**
 * The period that a subscription renews with. Periods that were over before the service could charge them are left out: nobody had
 * anything of them.
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
 * The terms of a subscription with the promotion that it was sold with. An introductory price of terms that its operator brought it to is
 * not for it.
 */
function ownTerms(
  { isMigrated, promotion }: Pick<Subscription, 'isMigrated' | 'promotion'>,
  terms: Priced,
): Priced {
  return isMigrated ? { ...terms, introduction: null } : withPromotion(terms, promotion)
}

/** The promotion that a further period is charged by; null for one that costs what the terms say. */
export function promotionAt(
  { isMigrated, promotion, firstPeriod }: Pick<Subscription, 'isMigrated' | 'promotion' | 'firstPeriod'>,
  { period, changesTo }: Pick<SubscriptionPeriod, 'period' | 'changesTo'>,
): Introduction | null {
  if (isMigrated || promotion === null || changesTo !== null) return null
  return period - firstPeriod < promotion.periods ? promotion : null
}

/** When periods of a subscription begin, by their number. */
function startsOf(
  { startedAt, firstPeriod }: Pick<Subscription, 'startedAt' | 'firstPeriod'>,
  { recurrence }: Pick<OfferTerms, 'recurrence'>,
): (period: number) => number {
  if (recurrence === null) throw new Error('What is paid once has no periods.')
  return (period) => periodsAfter(startedAt, recurrence, period - firstPeriod)
}

function priceOf(
  { cents, introduction }: Priced,
  { firstPeriod }: Pick<Subscription, 'firstPeriod'>,
  period: number,
): number {
  return introduction !== null && period - firstPeriod < introduction.periods ? introduction.cents : cents
}

/** Whether a period has the terms of a migration: an introduction that was promised runs to its end first. */
function isMigratedBy(
  { introduction }: Priced,
  { firstPeriod }: Pick<Subscription, 'firstPeriod'>,
  { period, startsAt }: Pick<Period, 'period' | 'startsAt'>,
  from: number,
): boolean {
  return startsAt >= from && period - firstPeriod >= (introduction?.periods ?? 0)
}

/**
 * When the first period begins that has the terms of a migration.
 *
 * @param from the day of the migration, in milliseconds since the Unix epoch
 */
export function migrationStart(subscription: Counted, terms: Priced, from: number): number {
  const own = ownTerms(subscription, terms)
  const startOf = startsOf(subscription, own)
  let period = subscription.period + 1
  while (!isMigratedBy(own, subscription, { period, startsAt: startOf(period) }, from)) period++
  return startOf(period)
}

/**
 * When a declined charge comes again: so many days after the first one was declined.
 *
 * @returns undefined when it has come often enough
 */
export function nextRetry(declinedAt: number, retryDays: readonly number[], now: number): number | undefined {
  return retryDays.map((days) => declinedAt + days * DAY_MS).find((at) => at > now)
}

export const DAY_MS = 86_400_000

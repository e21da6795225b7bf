import { isDeepStrictEqual } from 'node:util'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { planOf } from './holdings.ts'
import type { subscriptionPeriods, subscriptions } from './orders.table.ts'
import { periodsAfter } from './periods.ts'

export type Subscription = typeof subscriptions.$inferSelect
export type SubscriptionPeriod = typeof subscriptionPeriods.$inferSelect

/** A period of a subscription. Times are milliseconds since the Unix epoch. */
export interface Period {
  period: number
  startsAt: number
  endsAt: number
  /** By the terms of the purchase, or of the change. VAT included. */
  cents: number
}

type Counted = Pick<Subscription, 'plan' | 'startedAt' | 'firstPeriod' | 'period' | 'periodEnd'>
type Priced = Pick<OfferTerms, 'recurrence' | 'cents' | 'introduction'>

/** An offer that the next period of a subscription changes to. */
export interface PeriodChange {
  key: string
  terms: OfferTerms
}

/**
 * From when periods are counted once a change has taken place. Another plan begins anew; a new revision of the same plan goes on,
 * so that a month keeps its day and an introduction its length.
 */
export function countedFrom(
  { plan, startedAt, firstPeriod, period, periodEnd }: Counted,
  terms: Pick<OfferTerms, 'recurrence'>,
  change: PeriodChange | null,
): Pick<Subscription, 'startedAt' | 'firstPeriod'> {
  const goesOn =
    change === null ||
    (planOf(change) === plan && isDeepStrictEqual(change.terms.recurrence, terms.recurrence))
  return goesOn ? { startedAt, firstPeriod } : { startedAt: periodEnd, firstPeriod: period + 1 }
}

/**
 * The period that a subscription renews with. Periods that were over before the service could charge them are left out: nobody had
 * anything of them.
 *
 * @param now milliseconds since the Unix epoch
 * @param change what the subscription changes to with that period
 */
export function nextPeriod(
  subscription: Counted,
  terms: Priced,
  now: number,
  change: PeriodChange | null = null,
): Period {
  const { startedAt, firstPeriod } = countedFrom(subscription, terms, change)
  const { recurrence, cents, introduction } = change?.terms ?? terms
  if (recurrence === null) throw new Error('What is paid once has no periods.')
  const startOf = (period: number) => periodsAfter(startedAt, recurrence, period - firstPeriod)
  let period = subscription.period + 1
  while (startOf(period + 1) <= now) period++
  const isIntroduced = introduction !== null && period - firstPeriod < introduction.periods
  const setupCents = change !== null && period === firstPeriod ? change.terms.setupCents : 0
  return {
    period,
    startsAt: startOf(period),
    endsAt: startOf(period + 1),
    cents: setupCents + (isIntroduced ? introduction.cents : cents),
  }
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

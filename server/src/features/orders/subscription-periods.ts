import type { OfferTerms } from '../offers/offer-terms.ts'
import type { subscriptionPeriods, subscriptions } from './orders.table.ts'
import { periodsAfter } from './periods.ts'

export type Subscription = typeof subscriptions.$inferSelect
export type SubscriptionPeriod = typeof subscriptionPeriods.$inferSelect

/** A period of a subscription. Times are milliseconds since the Unix epoch. */
export interface Period {
  period: number
  startsAt: number
  endsAt: number
  /** By the terms of the purchase, VAT included. */
  cents: number
}

type Bought = Pick<Subscription, 'startedAt' | 'period'>
type Priced = Pick<OfferTerms, 'recurrence' | 'cents' | 'introduction'>

/**
 * The period that a subscription renews with. Periods that were over before the service could charge them are left out: nobody had
 * anything of them.
 *
 * @param now milliseconds since the Unix epoch
 */
export function nextPeriod({ startedAt, period: paid }: Bought, terms: Priced, now: number): Period {
  const { recurrence, cents, introduction } = terms
  if (recurrence === null) throw new Error('What is paid once has no periods.')
  let period = paid + 1
  while (periodsAfter(startedAt, recurrence, period) <= now) period++
  return {
    period,
    startsAt: periodsAfter(startedAt, recurrence, period - 1),
    endsAt: periodsAfter(startedAt, recurrence, period),
    cents: introduction !== null && period <= introduction.periods ? introduction.cents : cents,
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

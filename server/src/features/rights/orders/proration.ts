import type { RecurrenceUnit } from '@ondine/contract/offers'
import type { OfferTerms } from '../offers/offer-terms.ts'

type Priced = Pick<OfferTerms, 'cents' | 'recurrence'>

/** Length of each unit in seconds. Months and years have their average length in the Gregorian calendar. */
const UNIT_SECONDS: Record<RecurrenceUnit, number> = {
  day: 86_400,
  week: 604_800,
  month: 2_629_746,
  year: 31_556_952,
}

/** A paid period. Times are milliseconds since the Unix epoch. */
export interface PaidPeriod {
  cents: number
  from: number
  to: number
}

/**
 * Returns the value of the remaining part of a paid period at `now`, in cents. Rounds to the customer's advantage:
 * a started second counts as unused, and a fraction of a cent counts as a whole cent.
 */
export function unusedCents({ cents, from, to }: PaidPeriod, now: number): number {
  const total = Math.round((to - from) / 1000)
  const left = Math.ceil((to - now) / 1000)
  if (total <= 0 || left <= 0) return 0
  return ceilRatio(cents, Math.min(left, total), total)
}

/**
 * Returns how much time of a plan an amount pays for, in milliseconds. Rounds up to a whole second, to the
 * customer's advantage.
 */
export function timePaidBy(cents: number, terms: Priced): number {
  if (cents === 0 || terms.cents === 0) return 0
  return ceilRatio(periodSeconds(terms), cents, terms.cents) * 1000
}

/** Returns whether a plan costs more per day than another plan. Introductory prices are ignored. */
export function costsMorePerDay(one: Priced, other: Priced): boolean {
  return BigInt(one.cents) * BigInt(periodSeconds(other)) > BigInt(other.cents) * BigInt(periodSeconds(one))
}

function periodSeconds({ recurrence }: Priced): number {
  if (recurrence === null) throw new Error('A one-time payment has no periods.')
  return UNIT_SECONDS[recurrence.unit] * recurrence.period
}

/**
 * Returns `value * part / whole`, rounded up. Uses BigInt, because the product of cents and seconds can exceed
 * 2^53.
 */
function ceilRatio(value: number, part: number, whole: number): number {
  const divisor = BigInt(whole)
  return Number((BigInt(value) * BigInt(part) + divisor - 1n) / divisor)
}

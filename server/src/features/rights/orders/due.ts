import { periodsAfter, trialEnd } from '../../../time/periods.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'

/** The amount that is due when an offer is bought. */
export interface Due {
  /** Cents, VAT included. */
  cents: number
  /** Days of the free trial; 0 for none. */
  trialDays: number
}

/** Returns the amount due for an offer. @param hadTrial whether the account has used its trial of the plan */
export function dueFor({ cents, setupCents, trialDays, introduction }: OfferTerms, hadTrial: boolean): Due {
  const days = hadTrial ? 0 : trialDays
  return { cents: setupCents + (days > 0 ? 0 : (introduction?.cents ?? cents)), trialDays: days }
}

/**
 * Returns whether a purchase begins with a free trial, or with free periods, that are followed by a charge. Such a
 * purchase needs a card at the start.
 */
export function isChargedAfterTrial(terms: OfferTerms, { cents: due, trialDays }: Due): boolean {
  return (trialDays > 0 || due === 0) && renewalsOf(terms, trialDays, 0).some(({ cents }) => cents > 0)
}

/** A later charge of a subscription. `at` is in milliseconds since the Unix epoch. */
export interface Renewal {
  cents: number
  at: number
}

/**
 * Returns the later charges of a purchase at `now`: the next charge, and then each charge whose amount differs
 * from the charge before. Empty for a one-time payment.
 */
export function renewalsOf(
  { cents, recurrence, introduction }: OfferTerms,
  trialDays: number,
  now: number,
): Renewal[] {
  if (recurrence === null) return []
  const start = trialDays > 0 ? trialEnd(now, trialDays) : now
  // After a trial, the first period is the next charge. Without a trial, the first period is paid at the purchase.
  const first = trialDays > 0 ? 0 : 1
  const charge = (period: number): Renewal => ({
    cents: period < (introduction?.periods ?? 0) ? (introduction?.cents ?? cents) : cents,
    at: periodsAfter(start, recurrence, period),
  })
  const lower = introduction?.periods ?? 0
  return first < lower ? [charge(first), charge(lower)] : [charge(first)]
}

import { periodsAfter, trialEnd } from '../../../time/periods.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'

/** What is due for an offer at its purchase. */
export interface Due {
  /** Cents, VAT included. */
  cents: number
  /** Days that cost nothing first; 0 for none. */
  trialDays: number
}

/** @param hadTrial whether the account has tried the plan before */
export function dueFor({ cents, setupCents, trialDays, introduction }: OfferTerms, hadTrial: boolean): Due {
  const days = hadTrial ? 0 : trialDays
  return { cents: setupCents + (days > 0 ? 0 : (introduction?.cents ?? cents)), trialDays: days }
}

/** Whether a purchase begins with a trial that is charged for when it ends: its card is asked for before. */
export function isChargedAfterTrial(terms: OfferTerms, trialDays: number): boolean {
  return trialDays > 0 && renewalsOf(terms, trialDays, 0).some(({ cents }) => cents > 0)
}

/** A later charge of a subscription. `at` is in milliseconds since the Unix epoch. */
export interface Renewal {
  cents: number
  at: number
}

/**
 * What is charged after a purchase at `now`: the first charge, and each that differs from the one before. Empty for what is paid
 * once.
 */
export function renewalsOf(
  { cents, recurrence, introduction }: OfferTerms,
  trialDays: number,
  now: number,
): Renewal[] {
  if (recurrence === null) return []
  const start = trialDays > 0 ? trialEnd(now, trialDays) : now
  // A trial charges its first period at its end; without one that is paid at the purchase.
  const first = trialDays > 0 ? 0 : 1
  const charge = (period: number): Renewal => ({
    cents: period < (introduction?.periods ?? 0) ? (introduction?.cents ?? cents) : cents,
    at: periodsAfter(start, recurrence, period),
  })
  const lower = introduction?.periods ?? 0
  return first < lower ? [charge(first), charge(lower)] : [charge(first)]
}

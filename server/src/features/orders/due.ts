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

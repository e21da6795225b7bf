import { shareOf } from '@ondine/contract/money'

/** Benefit of a voucher: a discount, or a plan for some months. */
export type Given =
  | { kind: 'percentage'; basisPoints: number }
  | { kind: 'fixed'; cents: number }
  | { kind: 'gift'; offer: string; months: number }

/** Terms of a voucher. Times are milliseconds since the Unix epoch. */
export interface VoucherTerms {
  gives: Given
  /** Keys of the offers to which the voucher applies; null for all offers. */
  offers: string[] | null
  /** Start and end of validity. Null means from now on, and without an end. */
  validFrom: number | null
  validTo: number | null
  /** How often each code can be used, and how often an account can use the voucher. Null means any number. */
  usesPerCode: number | null
  usesPerAccount: number | null
}

/** Amount that is due for an offer. */
export interface DueItem {
  /** Key of the offer. */
  key: string
  cents: number
}

/**
 * Returns the discount of each item, in cents. A percentage is taken off each item. A fixed amount is taken off once, from the first items
 * until it is spent. No item falls below zero.
 */
export function discountsOf({ gives, offers }: VoucherTerms, items: readonly DueItem[]): number[] {
  let left = gives.kind === 'fixed' ? gives.cents : 0
  return items.map(({ key, cents }) => {
    if (offers !== null && !offers.includes(key)) return 0
    if (gives.kind === 'percentage') return shareOf(cents, gives.basisPoints)
    const off = Math.min(left, cents)
    left -= off
    return off
  })
}

import { shareOf } from '@ondine/contract/money'

/** What a voucher gives: a discount, or a plan for some months. */
export type Given =
  | { kind: 'percentage'; basisPoints: number }
  | { kind: 'fixed'; cents: number }
  | { kind: 'gift'; offer: string; months: number }

/** All that a voucher says. Times are milliseconds since the Unix epoch. */
export interface VoucherTerms {
  gives: Given
  /** Keys of the offers that it is for; null for all. */
  offers: string[] | null
  /** Null: from now on, and until further notice. */
  validFrom: number | null
  validTo: number | null
  /** How often each of its codes can be used, and an account can use it; null for any number. */
  usesPerCode: number | null
  usesPerAccount: number | null
}

/** What is due for an offer. */
export interface DueItem {
  /** Key of the offer. */
  key: string
  cents: number
}

/**
 * What a voucher takes off each item, in cents: a percentage off each one, or an amount once, off the first items until it is spent.
 * Nothing falls below zero.
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

/** Benefit of a voucher: a discount, or a gift of a plan for some months. */
export type Given =
  | { kind: 'percentage'; basisPoints: number }
  | { kind: 'fixed'; cents: number }
  | { kind: 'gift'; offer: string; months: number }

/** Terms of a voucher. Times are milliseconds since the Unix epoch. */
export interface VoucherTerms {
  gives: Given
  /** Keys of the offers to which the voucher applies; null for all offers. */
  offers: string[] | null
  /** Period of validity. A null start or end means no limit on that side. */
  validFrom: number | null
  validTo: number | null
  /** Maximum number of uses of each code, and of uses of the voucher by one account. Null means no limit. */
  usesPerCode: number | null
  usesPerAccount: number | null
}

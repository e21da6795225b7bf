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
  /**
   * Start and end of validity. If the start is null, the voucher is valid already. If the end is null, it stays valid.
   */
  validFrom: number | null
  validTo: number | null
  /** How often each code can be used, and how often an account can use the voucher. Null means any number. */
  usesPerCode: number | null
  usesPerAccount: number | null
}

const DIGITS = 8

/** Returns a customer's reference for support calls: the account's id with leading zeros, such as `00000042` (A3-01). */
export function customerReference(accountId: number): string {
  return String(accountId).padStart(DIGITS, '0')
}

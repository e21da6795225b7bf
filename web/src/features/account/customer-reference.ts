const DIGITS = 8

/** The reference of a customer, as it is read to support: the account's id with leading zeros, `00000042` (A3-01). */
export function customerReference(accountId: number): string {
  return String(accountId).padStart(DIGITS, '0')
}

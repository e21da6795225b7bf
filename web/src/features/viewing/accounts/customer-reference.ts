const DIGITS = 8

/**
 * Returns the number by which a customer identifies an account to the support staff (A3-01). It is the account's id
 * with leading zeros, such as `00000042`.
 */
export function customerReference(accountId: number): string {
  return String(accountId).padStart(DIGITS, '0')
}

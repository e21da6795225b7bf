const DIGITS = 8

/**
 * Returns the customer number of an account for the support staff (A3-01): the account's id with leading zeros,
 * such as `00000042`.
 */
export function customerReference(accountId: number): string {
  return String(accountId).padStart(DIGITS, '0')
}

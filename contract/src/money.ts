import * as z from 'zod'

/**
 * Amounts are whole euro cents with VAT included, in the database and in every computation (A9-05). On the
 * wire, an amount is a decimal text with two digits, `8.99`, so that no client has to use floating-point
 * numbers.
 */

/**
 * Parses an amount such as `8`, `8.9` or `8.99`, in cents. Returns undefined if the text is not an amount, or
 * the amount is larger than 999999.99, which is far below the maximum of a database `integer`.
 */
export function readAmount(written: string): number | undefined {
  const [, whole, part = ''] = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(written) ?? []
  return whole === undefined ? undefined : Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** Formats cents for the wire: `8.99`, `-8.99`. */
export function amountText(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`${cents} is not a number of cents`)
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Returns a percentage of an amount, in cents. Half a cent is rounded away from zero (A9-04).
 *
 * @param basisPoints the percentage in hundredths of a percent: 2,000 is 20 %
 */
export function shareOf(cents: number, basisPoints: number): number {
  // Integers throughout: 99,999,999 cents times 10,000 is far below 2^53.
  const scaled = Math.abs(cents) * basisPoints
  const whole = Math.floor(scaled / 10_000)
  const share = scaled - whole * 10_000 >= 5000 ? whole + 1 : whole
  return cents < 0 ? -share : share
}

/**
 * Returns the VAT in an amount, in cents. Half a cent is rounded away from zero.
 *
 * @param basisPoints the rate in hundredths of a percent: 2,000 is 20 %
 */
export function vatWithin(cents: number, basisPoints: number): number {
  const scaled = Math.abs(cents) * basisPoints
  const whole = 10_000 + basisPoints
  const vat = Math.floor((2 * scaled + whole) / (2 * whole))
  return cents < 0 ? -vat : vat
}

/** An amount on the wire. */
export const amount = z.string().regex(/^-?\d{1,6}\.\d\d$/)

/** Formats the text of a field while the viewer types. */
export type Mask = (typed: string) => string

const PHONE_DIGITS = 10

/** Removes everything but digits: `12a3` becomes `123` (A5-16). */
export function digitsOnly(typed: string): string {
  return typed.replaceAll(/\D/g, '')
}

/**
 * Formats a telephone number as ten digits in pairs: `06 12 34 56 78` (A5-16). The prefix `+33` or `0033` becomes
 * `0` as soon as the next digits are typed. A number of another country keeps all its digits, so that the form shows
 * that the number is not valid.
 */
export function phoneMask(typed: string): string {
  const plus = typed.trimStart().startsWith('+') ? '+' : ''
  // Waits for a digit after `+33 0`, because viewers also type `+33 (0)6`.
  const number = (plus + digitsOnly(typed)).replace(/^(?:\+|00)330?(?=[1-9])/, '0')
  const isNational = /^0[1-9]/.test(number)
  const pairs = digitsOnly(isNational ? number.slice(0, PHONE_DIGITS) : number).match(/\d{1,2}/g) ?? []
  return (number.startsWith('+') ? '+' : '') + pairs.join(' ')
}

/** Returns a mask that keeps at most `length` digits. */
export function codeMask(length: number): Mask {
  return (typed) => digitsOnly(typed).slice(0, length)
}

/**
 * Returns the position in `masked` that follows the same digit as `cursor` in `typed`. Without this, the cursor
 * would jump to the end after a correction in the middle.
 */
export function cursorInMask(typed: string, cursor: number, masked: string): number {
  const before = digitsOnly(typed.slice(0, cursor)).length
  let seen = 0
  for (let at = 0; at < masked.length; at++) {
    if (seen === before && masked.charAt(at) !== '+') return at
    if (/\d/.test(masked.charAt(at))) seen++
  }
  return masked.length
}

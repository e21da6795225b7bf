/** How a field writes down what is typed into it. */
export type Mask = (typed: string) => string

const PHONE_DIGITS = 10

/** Only the digits: `12a3` is `123` (A5-16). */
export function digitsOnly(typed: string): string {
  return typed.replaceAll(/\D/g, '')
}

/** A telephone number as ten digits in pairs: `06 12 34 56 78` (A5-16). */
export function phoneMask(typed: string): string {
  const digits = digitsOnly(typed).slice(0, PHONE_DIGITS)
  return digits.match(/\d{1,2}/g)?.join(' ') ?? ''
}

/** At most `length` digits: a code. */
export function codeMask(length: number): Mask {
  return (typed) => digitsOnly(typed).slice(0, length)
}

/**
 * Where the cursor stands in `masked` when it stood at `cursor` in `typed`: behind the same digit. Without this it would
 * jump to the end whenever something is mended in the middle.
 */
export function cursorInMask(typed: string, cursor: number, masked: string): number {
  const before = digitsOnly(typed.slice(0, cursor)).length
  let seen = 0
  for (let at = 0; at < masked.length; at++) {
    if (seen === before) return at
    if (/\d/.test(masked.charAt(at))) seen++
  }
  return masked.length
}

/** Pairing of a television (A4.7-02). */
export const PAIRING = {
  codeLength: 6,
  /** How long a code holds, in seconds. */
  seconds: 600,
  /** How often a television asks whether it was paired, in milliseconds. */
  pollMs: 2000,
} as const

/** What a code is made of: no letter or digit that looks like another, and no E, with which an address would hold a number: 23E456. */
export const PAIRING_ALPHABET = '23456789ABCDFGHJKMNPQRSTUVWXYZ'

/** A code as it is compared: capitals, without what people put between (A5-29). */
export function plainCode(written: string): string {
  return written.toUpperCase().replaceAll(/[\s-]/g, '')
}

/** A code as it is shown: in two halves. */
export function shownCode(code: string): string {
  const half = Math.ceil(code.length / 2)
  return `${code.slice(0, half)}-${code.slice(half)}`
}

/** Pairing of a television (A4.7-02). */
export const PAIRING = {
  codeLength: 6,
  /** Validity of a code, in seconds. */
  seconds: 600,
  /** Interval at which a television asks whether it was paired, in milliseconds. */
  pollMs: 2000,
} as const

/**
 * Characters of a code. Letters and digits that look alike are left out. E is left out too, because a code
 * such as 23E456 in an address would be parsed as a number.
 */
export const PAIRING_ALPHABET = '23456789ABCDFGHJKMNPQRSTUVWXYZ'

/** Normalises a code for comparison: upper case, without separators (A5-29). */
export function plainCode(written: string): string {
  return written.toUpperCase().replaceAll(/[\s-]/g, '')
}

/** Formats a code for display, in two halves. */
export function shownCode(code: string): string {
  const half = Math.ceil(code.length / 2)
  return `${code.slice(0, half)}-${code.slice(half)}`
}

import type { Notice } from './notice.ts'

const numbers = new WeakMap<Notice, number>()
let count = 0

/**
 * Returns a number that identifies a notice. Two notices can have the same text, but each is shown for its own
 * duration.
 */
export function numberOf(notice: Notice): number {
  const number = numbers.get(notice) ?? (count += 1)
  numbers.set(notice, number)
  return number
}

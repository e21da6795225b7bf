import type { Notice } from './notice.ts'

const numbers = new WeakMap<Notice, number>()
let count = 0

/** Returns the number of a notice. Two notices can have the same text, and each is shown for its own time. */
export function numberOf(notice: Notice): number {
  const number = numbers.get(notice) ?? (count += 1)
  numbers.set(notice, number)
  return number
}

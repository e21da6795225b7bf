import type { RecurrenceUnit } from '@ondine/contract/offers'

/** After what time a subscription is paid again. */
export interface Recurrence {
  unit: RecurrenceUnit
  period: number
}

const DAY_MS = 86_400_000

/**
 * When the first `count` periods from `start` are over, in milliseconds since the Unix epoch. Calendar months and years are those of
 * UTC. A day that a month does not have is its last one, and the next month has it again: 31 January, 28 February, 31 March.
 */
export function periodsAfter(start: number, { unit, period }: Recurrence, count: number): number {
  const times = period * count
  switch (unit) {
    case 'day':
      return start + times * DAY_MS
    case 'week':
      return start + times * 7 * DAY_MS
    case 'month':
      return monthsAfter(start, times)
    default:
      return monthsAfter(start, times * 12)
  }
}

function monthsAfter(start: number, months: number): number {
  const date = new Date(start)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}

/** When a trial of so many days from `start` is over. Milliseconds since the Unix epoch. */
export function trialEnd(start: number, days: number): number {
  return start + days * DAY_MS
}

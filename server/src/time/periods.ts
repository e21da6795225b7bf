import type { RecurrenceUnit } from '@ondine/contract/offers'

/** Length of a subscription's periods. */
export interface Recurrence {
  unit: RecurrenceUnit
  period: number
}

const DAY_MS = 86_400_000

/**
 * Returns the end of the first `count` periods from `start`, in milliseconds since the Unix epoch. Months and
 * years are counted in UTC. If a month does not have the day of `start`, the period ends on the month's last day:
 * 31 January, 28 February, 31 March.
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

/** Returns the end of a trial that begins at `start`. Times are milliseconds since the Unix epoch. */
export function trialEnd(start: number, days: number): number {
  return start + days * DAY_MS
}

import type { GuideDay } from './days.ts'
import { startOfDay } from './programme-time.ts'

const HOUR_SECONDS = 3600

/** Returns the day that contains a moment, given in seconds since the Unix epoch. */
export function dayAt(seconds: number, timeZone: string): GuideDay {
  const start = startOfDay(seconds, timeZone)
  // 36 hours after midnight is always within the next day, even if the current day has 23 or 25 hours.
  const end = startOfDay(start + 36 * HOUR_SECONDS, timeZone)
  return { date: localParts(start, timeZone).date, start, end }
}

/** Returns the date and the time of day in a time zone: `2026-11-21` and `20:30`. */
export function localParts(seconds: number, timeZone: string): { date: string; time: string } {
  const parts = Object.fromEntries(
    formatter(timeZone)
      .formatToParts(seconds * 1000)
      .map(({ type, value }) => [type, value] as const),
  )
  return {
    date: `${parts.year}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}`,
  }
}

// Creating a formatter costs a hundred times more than using it.
const FORMATTERS = new Map<string, Intl.DateTimeFormat>()

function formatter(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATTERS.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  FORMATTERS.set(timeZone, made)
  return made
}

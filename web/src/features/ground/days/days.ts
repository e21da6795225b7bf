import { dayAt, localParts } from './local-day.ts'

const HOUR_SECONDS = 3600
const DAY_MINUTES = 1440

/**
 * A day of a guide in the viewer's time zone. It has 23 or 25 hours if the clocks change. Times are seconds since the
 * Unix epoch.
 */
export interface GuideDay {
  /** The date in an address, such as `2026-11-21`. */
  date: string
  start: number
  end: number
}

/** The days of a guide, with today among them. */
export interface GuideDays {
  days: readonly GuideDay[]
  today: GuideDay
  timeZone: string
}

/** The range of a guide, in days before and after today. */
export interface DayRange {
  past: number
  future: number
}

/** Returns the days that a guide shows around `now` (V9-04). `now` is in seconds since the Unix epoch. */
export function guideDays(now: number, timeZone: string, { past, future }: DayRange): GuideDays {
  const today = dayAt(now, timeZone)
  const days = [today]
  for (let count = 0; count < past; count++) days.unshift(dayAt((days[0] ?? today).start - 1, timeZone))
  for (let count = 0; count < future; count++) days.push(dayAt((days.at(-1) ?? today).end, timeZone))
  return { days, today, timeZone }
}

/** Returns whether a guide is still valid at `now` in `timeZone`. A guide is valid until midnight. */
export function isCurrent({ today, timeZone: zone }: GuideDays, now: number, timeZone: string): boolean {
  return zone === timeZone && today.start <= now && now < today.end
}

/** Returns the day of the guide that contains a moment. For a moment outside of the guide, returns the nearest day. */
export function dayOf(days: readonly GuideDay[], seconds: number): GuideDay | undefined {
  return days.find(({ end }) => seconds < end) ?? days.at(-1)
}

/**
 * Returns the moment of a day at which clocks show `time`, such as `20:30`. If clocks show `time` twice on that
 * day, returns the first moment.
 */
export function momentOf(day: GuideDay, time: string, timeZone: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const guess = day.start + hours * HOUR_SECONDS + minutes * 60
  // If the clocks have changed since midnight, the guess is off by the size of the change: an hour, or rarely half
  // an hour.
  const shown = minutesOf(localParts(guess, timeZone).time)
  const wanted = hours * 60 + minutes
  // On a short day, the guess for the last hour is after midnight, so the difference is taken across midnight.
  const off = ((wanted - shown + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2
  const moment = guess + off * 60
  const isInside = moment >= day.start && moment < day.end
  return isInside ? moment : guess
}

/** Returns a time of day in minutes since midnight. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

import { dayOf, type GuideDay, type GuideDays, momentOf } from './days.ts'
import { localParts } from './local-day.ts'

/** What began the view this long before now still shows now. */
const NOW_SHOWS_SECONDS = 3600
/** A view that begins this shortly before midnight shows the day after. */
const NEXT_SHOWS_SECONDS = 900
/** A view is where it was brought to until it is this far from there: it comes to whole pixels, and is told in minutes. */
const SAME_VIEW_SECONDS = 180

/** Where the keys have led to, and what the view began with then. Seconds since the Unix epoch. */
export interface Walk {
  time: number
  left: number
}

/** Whether a view that begins with `left` is the one that the keys have led to. */
export function isThere(walk: Walk, left: number): boolean {
  return Math.abs(left - walk.left) < SAME_VIEW_SECONDS
}

/** Whether a view that begins with `left` shows `now`. Seconds since the Unix epoch. */
export function showsNow(left: number, now: number): boolean {
  return left <= now && now < left + NOW_SHOWS_SECONDS
}

/**
 * The day that a view shows which begins with `left`: today while it shows now, though it may begin shortly before
 * midnight (V9-04). Where the keys have led to `walked`, the day of that: they lead on into a day that the view does not
 * begin with. Seconds since the Unix epoch.
 */
export function shownDay(
  { days, today }: GuideDays,
  left: number,
  now: number,
  walked: number | undefined,
): GuideDay {
  if (walked !== undefined) return dayOf(days, walked) ?? today
  if (showsNow(left, now)) return today
  return dayOf(days, left + NEXT_SHOWS_SECONDS) ?? today
}

/** What a view of the day `shown` that begins with `left` begins with on another day: the same time of day. */
export function sameTimeOn(day: GuideDay, left: number, shown: GuideDay, timeZone: string): number {
  return momentOf(day, localParts(Math.max(left, shown.start), timeZone).time, timeZone)
}

/** The day of the guide so many days after another one, before it when negative; the last or first one beyond its ends (V9-05). */
export function dayAfter(days: readonly GuideDay[], { date }: GuideDay, count: number): GuideDay | undefined {
  const index = days.findIndex((day) => day.date === date)
  return days[Math.min(Math.max(index + count, 0), days.length - 1)]
}

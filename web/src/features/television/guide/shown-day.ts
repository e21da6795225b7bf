import { dayOf, type GuideDay, type GuideDays, momentOf } from '../../ground/days/days.ts'
import { localParts } from '../../ground/days/local-day.ts'

/** A view that began up to this long before now still shows the current time. */
const NOW_SHOWS_SECONDS = 3600
/** A view that begins at most this long before midnight shows the next day. */
const NEXT_SHOWS_SECONDS = 900
/**
 * A view counts as unmoved within this distance, because it stops at whole pixels and its position is
 * reported in minutes.
 */
const SAME_VIEW_SECONDS = 180

/** The moment that the keys moved to, and the start of the view at that time. Times are seconds since the Unix epoch. */
export interface Walk {
  time: number
  left: number
}

/** Returns whether a view that begins at `left` is the view to which the keys moved. */
export function isThere(walk: Walk, left: number): boolean {
  return Math.abs(left - walk.left) < SAME_VIEW_SECONDS
}

/** Returns whether a view that begins at `left` shows `now`. Times are seconds since the Unix epoch. */
export function showsNow(left: number, now: number): boolean {
  return left <= now && now < left + NOW_SHOWS_SECONDS
}

/**
 * Returns the day that a view shows. It is today while the view shows the current time, though it may begin
 * shortly before midnight (V9-04). If the keys have moved to `walked`, it is the day of that time, which may
 * be later than the start of the view. Times are seconds since the Unix epoch.
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

/** Returns the start of a view on another day at the same time of day as `left` on the day `shown`. */
export function sameTimeOn(day: GuideDay, left: number, shown: GuideDay, timeZone: string): number {
  return momentOf(day, localParts(Math.max(left, shown.start), timeZone).time, timeZone)
}

/**
 * Returns the day of the guide `count` days after another day, or before it if `count` is negative, limited
 * to the first and the last day (V9-05).
 */
export function dayAfter(days: readonly GuideDay[], { date }: GuideDay, count: number): GuideDay | undefined {
  const index = days.findIndex((day) => day.date === date)
  return days[Math.min(Math.max(index + count, 0), days.length - 1)]
}

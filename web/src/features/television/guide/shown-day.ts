import { dayOf, type GuideDay, type GuideDays, momentOf } from '../../ground/days/days.ts'
import { localParts } from '../../ground/days/local-day.ts'

/** A view that begins up to this many seconds before now still shows the current time. */
const NOW_SHOWS_SECONDS = 3600
/** A view that begins at most this many seconds before midnight shows the next day. */
const NEXT_SHOWS_SECONDS = 900
/**
 * A view that has moved less than this many seconds counts as not moved, because views stop at whole pixels and
 * positions are rounded to minutes.
 */
const SAME_VIEW_SECONDS = 180

/**
 * The moment to which the viewer moved with keys, and the left edge of the view after that move. Times are seconds
 * since the Unix epoch.
 */
export interface Walk {
  time: number
  left: number
}

/**
 * Returns whether the view has not moved since the viewer moved with keys. `left` is the left edge of the view, in
 * seconds since the Unix epoch.
 */
export function isThere(walk: Walk, left: number): boolean {
  return Math.abs(left - walk.left) < SAME_VIEW_SECONDS
}

/** Returns whether a view shows `now`. `left` is its left edge. Times are seconds since the Unix epoch. */
export function showsNow(left: number, now: number): boolean {
  return left <= now && now < left + NOW_SHOWS_SECONDS
}

/**
 * Returns the day to mark as shown (V9-04). If the viewer has moved to `walked` with keys, returns the day of that
 * moment, although the view may begin on the day before. If the view shows the current time, returns today. `left`
 * is the left edge of the view. Times are seconds since the Unix epoch.
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

/** Returns the moment of `day` that has the same time of day as `left` has on the day `shown`. */
export function sameTimeOn(day: GuideDay, left: number, shown: GuideDay, timeZone: string): number {
  return momentOf(day, localParts(Math.max(left, shown.start), timeZone).time, timeZone)
}

/**
 * Returns the day of the guide that is `count` days after another day, or before it if `count` is negative.
 * Returns the first or the last day of the guide if the result is outside of the guide (V9-05).
 */
export function dayAfter(days: readonly GuideDay[], { date }: GuideDay, count: number): GuideDay | undefined {
  const index = days.findIndex((day) => day.date === date)
  return days[Math.min(Math.max(index + count, 0), days.length - 1)]
}

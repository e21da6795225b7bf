import { weekdayText } from '../../../words/dates.ts'
import { type Place, timeText } from '../../../words/format.ts'

/** A showing that starts within this many seconds is shown with its time of day only, without the day. */
const SOON = 12 * 3600

/**
 * Formats the start of a showing: `20:50`, or `jeu. 20:50` if the start is further away. Times are seconds since
 * the Unix epoch.
 */
export function showingText(seconds: number, now: number, place: Place): string {
  const time = timeText(seconds, place)
  if (seconds - now < SOON) return time
  return `${weekdayText(seconds, place)} ${time}`
}

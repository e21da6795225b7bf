import { weekdayText } from '../../../words/dates.ts'
import { type Place, timeText } from '../../../words/format.ts'

/** If a showing starts within this many seconds, its text has only the time of day, and not the day. */
const SOON = 12 * 3600

/**
 * Formats when a showing starts: `20:50`, or `jeu. 20:50` if that is further away. Times are seconds since the Unix
 * epoch.
 */
export function showingText(seconds: number, now: number, place: Place): string {
  const time = timeText(seconds, place)
  if (seconds - now < SOON) return time
  return `${weekdayText(seconds, place)} ${time}`
}

import { weekdayText } from '../../../words/dates.ts'
import { type Place, timeText } from '../../../words/format.ts'

/** Within this time from now, the time of day is shown without the day, in seconds. */
const SOON = 12 * 3600

/** Formats the start of a showing: `20:50`, or `jeu. 20:50` for a distant one. Times are seconds since the Unix epoch. */
export function showingText(seconds: number, now: number, place: Place): string {
  const time = timeText(seconds, place)
  if (seconds - now < SOON) return time
  return `${weekdayText(seconds, place)} ${time}`
}

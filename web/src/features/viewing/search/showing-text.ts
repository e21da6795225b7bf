import { dateText, weekdayText } from '../../../words/dates.ts'
import { type Place, timeText } from '../../../words/format.ts'
import { daysBetween } from '../../ground/days/when.ts'

/** A showing that starts within this many seconds is shown with its time of day only, without the day. */
const SOON = 12 * 3600

/** From this many days ahead, the day of the week alone could be that of an earlier showing. */
const WEEK_DAYS = 7

/**
 * Formats the start of a showing: `20:50`, `jeu. 20:50` if the start is further away, or `jeu. 26 nov., 20:50` from a
 * week on. Times are seconds since the Unix epoch.
 */
export function showingText(seconds: number, now: number, place: Place): string {
  const time = timeText(seconds, place)
  if (seconds - now < SOON) return time
  return daysBetween(now, seconds, place.timeZone) < WEEK_DAYS
    ? `${weekdayText(seconds, place)} ${time}`
    : `${dateText(seconds, { ...place, dateFormat: 'ddd D MMM' })}, ${time}`
}

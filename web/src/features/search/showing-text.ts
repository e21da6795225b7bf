import { weekdayText } from '../../words/dates.ts'
import { type Place, timeText } from '../../words/format.ts'

/** Until so long from now the time alone says which day is meant, in seconds. */
const SOON = 12 * 3600

/** When something is on: `20:50`, or `jeu. 20:50` when that is not soon. Seconds since the Unix epoch. */
export function showingText(seconds: number, now: number, place: Place): string {
  const time = timeText(seconds, place)
  if (seconds - now < SOON) return time
  return `${weekdayText(seconds, place)} ${time}`
}

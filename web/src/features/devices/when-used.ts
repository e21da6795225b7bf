import { dateText } from '../../words/dates.ts'
import type { Place } from '../../words/format.ts'

/** When a device was last used, as a person reads it; in seconds since the Unix epoch. */
export function whenUsed(seconds: number, place: Place): string {
  return dateText(seconds, place)
}

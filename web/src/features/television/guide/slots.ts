import { GUIDE } from '@ondine/contract/constants'
import { type GuideDay, minutesOf, momentOf } from '../../ground/days/days.ts'
import { localParts } from '../../ground/days/local-day.ts'

/** The parts of a day, from early to late (V9-06). */
export const SLOTS = ['morning', 'afternoon', 'evening'] as const
export type Slot = (typeof SLOTS)[number]

/**
 * Time of day at which the view begins for the morning. The night belongs to the morning too, but few viewers want
 * to see it.
 */
const MORNING_SHOWN_FROM = '06:00'

/** Formats a time of day that is written as one number: 1200 is `12:00`. */
function timeOf(number: number): string {
  return `${String(Math.floor(number / 100)).padStart(2, '0')}:${String(number % 100).padStart(2, '0')}`
}

/** Returns the part of the day that contains a moment (V9-06). Times are seconds since the Unix epoch. */
export function slotAt(seconds: number, timeZone: string): Slot {
  const minutes = minutesOf(localParts(seconds, timeZone).time)
  if (minutes >= minutesOf(timeOf(GUIDE.eveningFrom))) return 'evening'
  return minutes >= minutesOf(timeOf(GUIDE.afternoonFrom)) ? 'afternoon' : 'morning'
}

/** Returns the moment at which the view begins for a part of a day, in seconds since the Unix epoch. */
export function slotStart(slot: Slot, day: GuideDay, timeZone: string): number {
  const times: Record<Slot, string> = {
    morning: MORNING_SHOWN_FROM,
    afternoon: timeOf(GUIDE.afternoonFrom),
    evening: timeOf(GUIDE.eveningFrom),
  }
  return momentOf(day, times[slot], timeZone)
}

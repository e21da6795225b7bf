import { GUIDE } from '@ondine/contract/constants'
import { type GuideDay, minutesOf, momentOf } from './days.ts'
import { localParts } from './local-day.ts'

/** The parts of a day, in order (V9-06). */
export const SLOTS = ['morning', 'afternoon', 'evening'] as const
export type Slot = (typeof SLOTS)[number]

/** When a day begins for those who choose its morning: the night before belongs to it, but few look for it. */
const MORNING_SHOWN_FROM = '06:00'

/** Hours and minutes in one number as a time of day: 1200 is `12:00`. */
function timeOf(number: number): string {
  return `${String(Math.floor(number / 100)).padStart(2, '0')}:${String(number % 100).padStart(2, '0')}`
}

/** The part of the day that a moment is in (V9-06). Seconds since the Unix epoch. */
export function slotAt(seconds: number, timeZone: string): Slot {
  const minutes = minutesOf(localParts(seconds, timeZone).time)
  if (minutes >= minutesOf(timeOf(GUIDE.eveningFrom))) return 'evening'
  return minutes >= minutesOf(timeOf(GUIDE.afternoonFrom)) ? 'afternoon' : 'morning'
}

/** Where a part of a day is shown from. Seconds since the Unix epoch. */
export function slotStart(slot: Slot, day: GuideDay, timeZone: string): number {
  const times: Record<Slot, string> = {
    morning: MORNING_SHOWN_FROM,
    afternoon: timeOf(GUIDE.afternoonFrom),
    evening: timeOf(GUIDE.eveningFrom),
  }
  return momentOf(day, times[slot], timeZone)
}

import type { Configuration } from '@ondine/contract/configuration'
import { GUIDE } from '@ondine/contract/constants'
import type { DayRange } from './days.ts'

type GridConfiguration = Configuration['guide']['epgGridConfiguration']

/** How far the guide reaches: as configured, or a week from today on when days are not chosen on a timeline (V9-04). */
export function dayRange({ timeline, pastDays, futureDays }: GridConfiguration): DayRange {
  return timeline
    ? { past: pastDays, future: futureDays }
    : { past: 0, future: GUIDE.windowDaysWithoutTimeline - 1 }
}

/** How far one step of navigation leads: 30 minutes, or 7 days (V9-05, decision 15). */
export function stepOf({ granularity }: Pick<GridConfiguration, 'granularity'>): {
  count: number
  unit: 'minutes' | 'days'
} {
  return granularity === 'Week'
    ? { count: GUIDE.weekStepDays, unit: 'days' }
    : { count: GUIDE.stepMinutes, unit: 'minutes' }
}

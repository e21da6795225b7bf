import type { Configuration } from '@ondine/contract/configuration'
import { GUIDE } from '@ondine/contract/constants'
import type { DayRange } from '../../ground/days/days.ts'

type GridConfiguration = Configuration['guide']['epgGridConfiguration']

/**
 * Returns the range of days that the guide shows: the configured range, or a week from today if the configuration
 * disables the timeline (V9-04).
 */
export function dayRange({ timeline, pastDays, futureDays }: GridConfiguration): DayRange {
  return timeline
    ? { past: pastDays, future: futureDays }
    : { past: 0, future: GUIDE.windowDaysWithoutTimeline - 1 }
}

/** Returns the size of a step back or forward in the guide: 30 minutes, or 7 days (V9-05, spec 15). */
export function stepOf({ granularity }: Pick<GridConfiguration, 'granularity'>): {
  count: number
  unit: 'minutes' | 'days'
} {
  return granularity === 'Week'
    ? { count: GUIDE.weekStepDays, unit: 'days' }
    : { count: GUIDE.stepMinutes, unit: 'minutes' }
}

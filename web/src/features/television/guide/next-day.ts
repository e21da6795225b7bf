import type { Programme } from '@ondine/contract/entities'
import type { GuideDay, GuideDays } from '../../ground/days/days.ts'

/** If fewer programmes of today are left, the next day is shown below them. */
const LITTLE_LEFT = 6

/**
 * Returns the day that a channel's guide shows below `day`; undefined if it shows no other day.
 *
 * @param programmes the programmes of `day`
 * @param now seconds since the Unix epoch
 */
export function nextDay(
  { days, today }: GuideDays,
  day: GuideDay,
  programmes: readonly Programme[],
  now: number,
): GuideDay | undefined {
  if (day !== today || programmes.length === 0) return undefined
  const left = programmes.filter(({ endutc }) => endutc > now).length
  return left < LITTLE_LEFT ? days.find(({ start }) => start === today.end) : undefined
}

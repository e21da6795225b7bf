import type { Programme } from '@ondine/contract/entities'
import type { GuideDay, GuideDays } from '../../ground/days/days.ts'

/** With fewer programmes left today, the next day is shown below. */
const LITTLE_LEFT = 6

/**
 * Returns the day to show below the programmes of `day` in a channel's guide.
 *
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

import type { TFunction } from 'i18next'
import { dateText } from '../../../words/dates.ts'
import { type Place, timeText } from '../../../words/format.ts'
import { daysBetween } from '../../ground/days/when.ts'

const NEAR: Record<number, 'devices.usedToday' | 'devices.usedYesterday' | undefined> = {
  [-1]: 'devices.usedYesterday',
  0: 'devices.usedToday',
}

/**
 * Formats when a device was last used, relative to `now`. The text contains the time of day, which helps to tell
 * devices with the same name apart. Times are seconds since the Unix epoch.
 */
export function whenUsed(seconds: number, now: number, place: Place, t: TFunction): string {
  const time = timeText(seconds, place)
  const near = NEAR[daysBetween(now, seconds, place.timeZone)]
  return near === undefined
    ? t('devices.usedOn', { date: dateText(seconds, place), time })
    : t(near, { time })
}

import { languageTag } from '@ondine/contract/languages'
import type { TFunction } from 'i18next'
import { capitalised, type Place, timeRangeText, timeText } from '../../../words/format.ts'
import { type DayWidth, dayInSentence, dayOfShowing, isWholeDay } from './when.ts'

/** Formats a start: `Demain, 20:50`, `Jeudi 26 novembre, 20:50`. Times are seconds since the Unix epoch. */
export function beginningText(
  seconds: number,
  now: number,
  place: Place,
  t: TFunction,
  width?: DayWidth,
): string {
  return capitalised(
    `${dayOfShowing(seconds, now, place, t, width)}, ${timeText(seconds, place)}`,
    languageTag(place.language),
  )
}

/** Formats a start within a sentence: `demain, 20:50`. Times are seconds since the Unix epoch. */
export function momentText(seconds: number, now: number, place: Place, t: TFunction): string {
  return `${dayInSentence(seconds, now, place, t)}, ${timeText(seconds, place)}`
}

/**
 * Formats a time range: `Demain, 20:50 – 22:35`, or `Demain, toute la journée`. Times are seconds since the Unix epoch.
 */
export function whenText(start: number, end: number, now: number, place: Place, t: TFunction): string {
  const day = dayOfShowing(start, now, place, t)
  const text = isWholeDay(start, end, place.timeZone)
    ? t('guide.wholeDayOf', { day })
    : `${day}, ${timeRangeText(start, end, place)}`
  return capitalised(text, languageTag(place.language))
}

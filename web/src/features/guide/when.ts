import { type Language, languageTag } from '@ondine/contract/languages'
import type { TFunction } from 'i18next'
import { type Place, timeRangeText } from '../../words/format.ts'
import { dayAt, localParts } from './local-day.ts'

/** The shortest day has 23 hours; in seconds. */
const SHORTEST_DAY = 23 * 3600
const DAY_MS = 86_400_000

/** `long`: `samedi 21 novembre`. `short`: `sam. 21`. */
export type DayWidth = 'long' | 'short'

/** A day by its name, whichever day it is now: `samedi 21 novembre`. Seconds since the Unix epoch. */
export function dayName(
  seconds: number,
  { language, timeZone }: Pick<Place, 'language' | 'timeZone'>,
  width: DayWidth = 'long',
): string {
  const key = `${language} ${timeZone} ${width}`
  const made =
    FORMATTERS.get(key) ??
    new Intl.DateTimeFormat(dayTag(language), {
      weekday: width,
      day: 'numeric',
      ...(width === 'long' && { month: 'long' }),
      timeZone,
    })
  FORMATTERS.set(key, made)
  return made.format(seconds * 1000)
}

/** English days are written as in the United Kingdom, like every English text: `Fri 20`, where `en` alone gives `20 Fri`. */
function dayTag(language: Language): string {
  return language === 'eng' ? 'en-GB' : languageTag(language)
}

// Making a formatter costs a hundred times more than using one.
const FORMATTERS = new Map<string, Intl.DateTimeFormat>()

/**
 * The day of something that is shown, as people say it at `now`: `Hier`, `Aujourd’hui`, `Demain`, and by its name when it is
 * further away. By the calendar of the place, not by hours. Seconds since the Unix epoch.
 */
export function dayOfShowing(
  seconds: number,
  now: number,
  place: Place,
  t: TFunction,
  width: DayWidth = 'long',
): string {
  const near = NEAR[daysBetween(now, seconds, place.timeZone)]
  return near === undefined ? dayName(seconds, place, width) : t(near)
}

const NEAR: Record<number, 'guide.yesterday' | 'guide.today' | 'guide.tomorrow' | undefined> = {
  [-1]: 'guide.yesterday',
  0: 'guide.today',
  1: 'guide.tomorrow',
}

/** How many days the calendar of a zone goes on from one moment to another. */
export function daysBetween(from: number, to: number, timeZone: string): number {
  return dayNumber(to, timeZone) - dayNumber(from, timeZone)
}

/** Days are counted by the calendar of a zone: those of two moments tell how many midnights are between them. */
function dayNumber(seconds: number, timeZone: string): number {
  // Clocks of all zones change their date at a quarter of an hour.
  const key = `${timeZone} ${Math.floor(seconds / 900)}`
  const known = DAY_NUMBERS.get(key)
  if (known !== undefined) return known
  if (DAY_NUMBERS.size > LARGEST_CACHE) DAY_NUMBERS.clear()
  const made = Date.parse(localParts(seconds, timeZone).date) / DAY_MS
  DAY_NUMBERS.set(key, made)
  return made
}

// Lists of a whole day are looked through each second.
const DAY_NUMBERS = new Map<string, number>()
const LARGEST_CACHE = 1000

/** The day of a programme in a list of times, where it is not that of the one above. Seconds since the Unix epoch. */
export function newDay(
  { startutc }: { startutc: number },
  above: { startutc: number },
  now: number,
  place: Place,
  t: TFunction,
): string | undefined {
  if (daysBetween(above.startutc, startutc, place.timeZone) === 0) return undefined
  return dayOfShowing(startutc, now, place, t, 'short')
}

/** From when to when: `20:50 – 22:35`; what lasts from one midnight to the next is said to be the whole day. */
export function spanText(start: number, end: number, place: Place, t: TFunction): string {
  return isWholeDay(start, end, place.timeZone) ? t('guide.wholeDay') : timeRangeText(start, end, place)
}

/** Whether something lasts from one midnight to the next, be they 23 or 25 hours apart. Seconds since the Unix epoch. */
export function isWholeDay(start: number, end: number, timeZone: string): boolean {
  if (end - start < SHORTEST_DAY) return false
  const day = dayAt(start, timeZone)
  return day.start === start && day.end === end
}

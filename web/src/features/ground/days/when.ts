import { type Language, languageTag } from '@ondine/contract/languages'
import type { TFunction } from 'i18next'
import { withOrdinal } from '../../../words/dates.ts'
import { type Place, timeRangeText } from '../../../words/format.ts'
import { dayAt, localParts } from './local-day.ts'

/** Length of the shortest possible day, in seconds: 23 hours. */
const SHORTEST_DAY = 23 * 3600
const DAY_MS = 86_400_000

/** `long`: `samedi 21 novembre`. `short`: `sam. 21`. */
export type DayWidth = 'long' | 'short'

/** Formats a day by its name, independent of today: `samedi 21 novembre`. `seconds` counts from the Unix epoch. */
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
  return withOrdinal(made.format(seconds * 1000), language)
}

/**
 * Returns the locale for day names. `en-GB` gives English texts the British order `Fri 20`. The tag `en` gives
 * `20 Fri`.
 */
function dayTag(language: Language): string {
  return language === 'eng' ? 'en-GB' : languageTag(language)
}

// Creating a formatter costs a hundred times more than using it.
const FORMATTERS = new Map<string, Intl.DateTimeFormat>()

/**
 * Formats the day of a showing relative to `now`: `Hier`, `Aujourd’hui`, `Demain`, or the name of a more distant day.
 * Counts calendar days in the viewer's time zone, not spans of 24 hours. Times are seconds since the Unix epoch.
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

/** Formats the day of a showing as {@link dayOfShowing} does, within a sentence: `demain`. */
export function dayInSentence(seconds: number, now: number, place: Place, t: TFunction): string {
  const day = dayOfShowing(seconds, now, place, t)
  // `Hier`, `Aujourd’hui` and `Demain` get a small letter. All other day names already have the form for a sentence.
  return daysBetween(now, seconds, place.timeZone) in NEAR
    ? day.toLocaleLowerCase(languageTag(place.language))
    : day
}

const NEAR: Record<number, 'guide.yesterday' | 'guide.today' | 'guide.tomorrow' | undefined> = {
  [-1]: 'guide.yesterday',
  0: 'guide.today',
  1: 'guide.tomorrow',
}

/** Returns the number of calendar days from one moment to another in a time zone. */
export function daysBetween(from: number, to: number, timeZone: string): number {
  return dayNumber(to, timeZone) - dayNumber(from, timeZone)
}

/** Returns a number for the calendar day of a moment. The numbers of consecutive days differ by 1. */
function dayNumber(seconds: number, timeZone: string): number {
  // In every time zone, days begin at a full quarter of an hour, so all moments of a quarter are on the same day.
  const key = `${timeZone} ${Math.floor(seconds / 900)}`
  const known = DAY_NUMBERS.get(key)
  if (known !== undefined) return known
  if (DAY_NUMBERS.size > LARGEST_CACHE) DAY_NUMBERS.clear()
  const made = Date.parse(localParts(seconds, timeZone).date) / DAY_MS
  DAY_NUMBERS.set(key, made)
  return made
}

// Day numbers are cached, because lists with the programmes of a whole day are searched each second.
const DAY_NUMBERS = new Map<string, number>()
const LARGEST_CACHE = 1000

/**
 * Returns the name of a programme's day for a list of times. Undefined if the programme above it in the list is on the
 * same day. Times are seconds since the Unix epoch.
 */
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

/** Formats a time range: `20:50 – 22:35`. A range from one midnight to the next is shown as the whole day. */
export function spanText(start: number, end: number, place: Place, t: TFunction): string {
  return isWholeDay(start, end, place.timeZone) ? t('guide.wholeDay') : timeRangeText(start, end, place)
}

/**
 * Returns whether a range lasts exactly from one midnight to the next, which may be 23 or 25 hours. Times are
 * seconds since the Unix epoch.
 */
export function isWholeDay(start: number, end: number, timeZone: string): boolean {
  if (end - start < SHORTEST_DAY) return false
  const day = dayAt(start, timeZone)
  return day.start === start && day.end === end
}

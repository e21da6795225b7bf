import { type Language, languageTag } from '@ondine/contract/languages'
import type { Place } from './format.ts'

/** The default date format: YYYY-MM-DD for French, YYYY-DD-MM for other languages (V3-51). */
export function defaultDateFormat(language: Language): string {
  return language === 'fra' ? 'YYYY-MM-DD' : 'YYYY-DD-MM'
}

/** The parts of a date format. Text in brackets is copied unchanged. */
const TOKENS = /\[([^\]]*)\]|dddd|ddd|YYYY|YY|MMMM|MMM|MM|M|DD|D/g

/**
 * Formats a date in the storefront's format, or in the default format of the language (V3-51, spec 13):
 * `DD/MM/YYYY` gives `05/01/2026`, `D MMMM YYYY` gives `5 janvier 2026`, `dddd` and `ddd` give the day of the
 * week. `seconds` counts from the Unix epoch.
 */
export function dateText(seconds: number, { language, timeZone, dateFormat }: Place): string {
  const { year, month, day } = numbersOf(seconds, timeZone)
  const texts: Record<string, () => string> = {
    YYYY: () => year.padStart(4, '0'),
    YY: () => year.slice(-2),
    MMMM: () => nameOf(seconds, 'month', 'long', { language, timeZone }),
    MMM: () => nameOf(seconds, 'month', 'short', { language, timeZone }),
    MM: () => month.padStart(2, '0'),
    M: () => month,
    DD: () => day.padStart(2, '0'),
    D: () => day,
    dddd: () => nameOf(seconds, 'weekday', 'long', { language, timeZone }),
    ddd: () => nameOf(seconds, 'weekday', 'short', { language, timeZone }),
  }
  const text = (dateFormat ?? defaultDateFormat(language)).replaceAll(
    TOKENS,
    (token, literal: string | undefined) => literal ?? texts[token]?.() ?? token,
  )
  return withOrdinal(text, language)
}

/** Writes the first day of a month as French does, before the name of the month: `1er janvier`. */
export function withOrdinal(text: string, language: Language): string {
  return language === 'fra' ? text.replace(/\b1(?= [a-z])/, '1er') : text
}

/**
 * Formats the date of an item that has a day but no hour, such as an article. The day is the same in every time
 * zone.
 */
export function dayText(seconds: number, place: Place): string {
  return dateText(seconds, { ...place, timeZone: 'UTC' })
}

/**
 * Formats the last month before a moment as payment cards show their expiry: `09/2030`. `seconds` counts from the
 * Unix epoch.
 */
export function lastMonthText(seconds: number): string {
  const { year, month } = numbersOf(seconds - 1, 'UTC')
  return `${month.padStart(2, '0')}/${year}`
}

/**
 * Formats the day of {@link dayText} for the `datetime` attribute: `2026-01-12`. `seconds` counts from the Unix
 * epoch.
 */
export function dateAttribute(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}

/** Formats the day of the week in short: `jeu.`, `Thu`. Times are seconds since the Unix epoch. */
export function weekdayText(seconds: number, place: Place): string {
  return nameOf(seconds, 'weekday', 'short', place)
}

/** Returns the year in a time zone. Times are seconds since the Unix epoch. */
export function yearText(seconds: number, { timeZone }: Pick<Place, 'timeZone'>): string {
  return numbersOf(seconds, timeZone).year
}

function numbersOf(seconds: number, timeZone: string): { year: string; month: string; day: string } {
  const made = formatter('en-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  const parts = Object.fromEntries(
    made.formatToParts(seconds * 1000).map(({ type, value }) => [type, value] as const),
  )
  return { year: parts.year ?? '', month: parts.month ?? '', day: parts.day ?? '' }
}

/**
 * Returns the name of a month or of a day of the week. The month has the form that it has after a day, as some
 * languages inflect it.
 */
function nameOf(
  seconds: number,
  part: 'month' | 'weekday',
  width: 'long' | 'short',
  { language, timeZone }: Place,
): string {
  const made = formatter(languageTag(language), {
    timeZone,
    ...(part === 'month' ? { month: width, day: 'numeric' } : { weekday: width }),
  })
  return made.formatToParts(seconds * 1000).find(({ type }) => type === part)?.value ?? ''
}

// Creating a formatter costs a hundred times more than using it.
const FORMATTERS = new Map<string, Intl.DateTimeFormat>()

function formatter(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${tag} ${Object.entries(options).join(' ')}`
  const known = FORMATTERS.get(key) ?? new Intl.DateTimeFormat(tag, options)
  FORMATTERS.set(key, known)
  return known
}

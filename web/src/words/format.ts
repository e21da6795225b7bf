import { type Language, languageTag, textDirection } from '@ondine/contract/languages'
import type { TFunction } from 'i18next'
import { sameLanguage } from './same-language.ts'

const SECONDS_PER_MINUTE = 60
const MINUTES_PER_HOUR = 60

/**
 * Formats a duration in hours and minutes: `1 h 48`, `52 min`, `2 h`. A duration above zero is shown as one minute or
 * more (V9-17).
 */
export function durationText(minutes: number, t: TFunction): string {
  const whole = minutes > 0 ? Math.max(1, Math.round(minutes)) : 0
  const hours = Math.floor(whole / MINUTES_PER_HOUR)
  const rest = whole % MINUTES_PER_HOUR
  if (hours === 0) return t('meta.minutes', { minutes: rest })
  return rest === 0
    ? t('meta.hours', { hours })
    : t('meta.hoursMinutes', { hours, minutes: String(rest).padStart(2, '0') })
}

/** Formats a duration in seconds, in the form of {@link durationText}. */
export function secondsText(seconds: number, t: TFunction): string {
  return durationText(seconds / SECONDS_PER_MINUTE, t)
}

/**
 * Formats the length of a film, or its remaining time, in the form of {@link secondsText}. A time below a
 * minute is in seconds: `48 s`.
 */
export function lengthText(seconds: number, t: TFunction): string {
  const whole = Math.ceil(seconds)
  return whole > 0 && whole < SECONDS_PER_MINUTE
    ? t('meta.seconds', { seconds: whole })
    : secondsText(seconds, t)
}

/** Formats a position in a film for the player: `12:40`, `1:02:10`. */
export function positionText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

/**
 * Returns the ages for which a morality level is suitable: in a short form for a badge, and as text for the
 * accessible name (V9-16, spec 27).
 *
 * @param ages ages of the levels from 1 on, in years: `accounts.levelAges` of the configuration
 */
export function maturityText(
  level: number,
  ages: readonly number[],
  t: TFunction,
): { short: string; text: string } {
  const age = ages[level - 1]
  if (age === undefined) return { short: t('meta.allPublicShort'), text: t('meta.allPublic') }
  return { short: t('meta.ages', { age }), text: t('meta.agesLabel', { age }) }
}

/**
 * Returns the names of languages, written in the reader's language. The reader's language comes first:
 * `français, anglais`. Unknown codes are kept.
 */
export function languageNames(codes: readonly string[], language: Language): string {
  const names = namesIn.get(language) ?? namesOf(language)
  namesIn.set(language, names)
  return readersFirst(codes, language)
    .map((code) => nameOf(code, names))
    .join(', ')
}

/** Returns the name of a language for use outside a sentence, such as in a list of choices: `Français`. */
export function languageTitle(code: string, language: Language): string {
  return capitalised(languageNames([code], language), languageTag(language))
}

/**
 * Formatters of language names by the reader's language. They are cached, because creating a formatter takes longer
 * than using it.
 */
const namesIn = new Map<Language, Intl.DisplayNames>()

function namesOf(language: Language): Intl.DisplayNames {
  return new Intl.DisplayNames([languageTag(language)], { type: 'language', fallback: 'code' })
}

/** Returns languages in short, the reader's first: `FR, EN`. */
export function languageTags(codes: readonly string[], language: Language): string {
  return readersFirst(codes, language)
    .map((code) => tagOf(code).toUpperCase())
    .join(', ')
}

/**
 * Moves items in the reader's language to the front. Otherwise the items keep their order. `codeOf` returns the
 * language of an item.
 */
export function readersFirst<Item>(
  items: readonly Item[],
  language: Language,
  codeOf: (item: Item) => string = String,
): Item[] {
  const isReaders = (item: Item) => sameLanguage(codeOf(item), language)
  return items.toSorted((one, other) => Number(isReaders(other)) - Number(isReaders(one)))
}

function nameOf(code: string, names: Intl.DisplayNames): string {
  const tag = tagOf(code)
  return tag === 'und' ? code : (names.of(tag) ?? code)
}

function tagOf(code: string): string {
  return /^[a-z]{2,3}$/.test(code) ? (Intl.getCanonicalLocales(code)[0] ?? code) : 'und'
}

/** How times and dates are shown: language, time zone and date format. */
export interface Place {
  language: Language
  timeZone: string
  /** The storefront's date format (V3-51). Default: the format of the language. */
  dateFormat?: string | undefined
}

/** Formats a time of day in the style of the language: `20:50`. `seconds` counts from the Unix epoch. */
export function timeText(seconds: number, { language, timeZone }: Place): string {
  return clock(language, timeZone).format(seconds * 1000)
}

/**
 * Formats a range of time: `20:50 – 22:35`, or `20:50` if it ends within the same minute. Times are seconds since the
 * Unix epoch.
 */
export function timeRangeText(start: number, end: number, place: Place): string {
  const [from, to] = [timeText(start, place), timeText(end, place)]
  if (from === to && end - start < SECONDS_PER_MINUTE) return from
  // Digits have no direction, so without this mark an Arabic page would show the end first.
  return `${textDirection(place.language) === 'rtl' ? RIGHT_TO_LEFT_MARK : ''}${from} – ${to}`
}

/**
 * Formats the length of a time range as the difference of the times that {@link timeRangeText} shows: `20:50
 * – 22:35` lasts `1 h 45`, even if it begins at 20:50:40. Times are seconds since the Unix epoch.
 */
export function rangeLengthText(start: number, end: number, t: TFunction): string {
  return durationText(Math.max(1, minuteOf(end) - minuteOf(start)), t)
}

/** Returns the number of whole minutes since the Unix epoch, because times of day are shown without seconds. */
function minuteOf(seconds: number): number {
  return Math.floor(seconds / SECONDS_PER_MINUTE)
}

const RIGHT_TO_LEFT_MARK = '\u200F'

/** Formats a score with one decimal, in the style of the language: `4,3`. */
export function scoreText(score: number, language: Language): string {
  const made =
    SCORES.get(language) ??
    new Intl.NumberFormat(languageTag(language), { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  SCORES.set(language, made)
  return made.format(score)
}

// Creating a formatter costs a hundred times more than using it.
const SCORES = new Map<Language, Intl.NumberFormat>()
const CLOCKS = new Map<string, Intl.DateTimeFormat>()

function clock(language: Language, timeZone: string): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`
  const known = CLOCKS.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(languageTag(language), {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  })
  CLOCKS.set(key, made)
  return made
}

/**
 * Capitalises the first letter of a text that begins a line, such as the name of a day or language. `tag` is a BCP 47
 * tag.
 */
export function capitalised(text: string, tag: string): string {
  return text.charAt(0).toLocaleUpperCase(tag) + text.slice(1)
}

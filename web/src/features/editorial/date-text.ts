import { type Language, languageTag } from '@ondine/contract/languages'

// Making a formatter costs a hundred times more than using one.
const FORMATS = new Map<Language, Intl.DateTimeFormat>()

/** The day of a text as a magazine prints it: `12 janvier 2026`. `seconds` since the Unix epoch; a day has no zone. */
export function dateText(seconds: number, language: Language): string {
  let format = FORMATS.get(language)
  if (format === undefined) {
    format = new Intl.DateTimeFormat(languageTag(language), { dateStyle: 'long', timeZone: 'UTC' })
    FORMATS.set(language, format)
  }
  return format.format(seconds * 1000)
}

/** The same for machines: `2026-01-12`. */
export function dateAttribute(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}

import { type Language, languageTag } from '@ondine/contract/languages'

/**
 * Returns a function that writes moments as dates with the name of the month. English dates have the British order,
 * `1 January 2026`; the tag `en` gives `January 1, 2026`. In French the first day of a month is `1er`. Times are
 * milliseconds since the Unix epoch.
 */
export function dateWriter(
  language: Language,
  options: Intl.DateTimeFormatOptions,
): (milliseconds: number) => string {
  const formats = new Intl.DateTimeFormat(language === 'eng' ? 'en-GB' : languageTag(language), options)
  if (language !== 'fra') return (milliseconds) => formats.format(milliseconds)
  return (milliseconds) => formats.format(milliseconds).replace(/(?<!\d)1(?=\s[a-z])/, '1er')
}

import { capitalised } from './format.ts'

/**
 * Returns the name of a track's language in the reader's language, capitalised. If a stream names the language in
 * a non-standard way, returns that name capitalised.
 *
 * @param reader tag of the reader's language
 */
export function trackLanguageName(language: string, reader: string): string {
  return capitalised(isLanguageTag(language) ? nameOf(language, reader) : language, reader)
}

function nameOf(language: string, reader: string): string {
  return new Intl.DisplayNames([reader], { type: 'language', fallback: 'code' }).of(language) ?? language
}

/** Returns whether `Intl` accepts a text as a language tag: language, script and region (UTS 35, 3.2). */
function isLanguageTag(name: string): boolean {
  return /^(?:[a-z]{2,3}|[a-z]{5,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i.test(name)
}

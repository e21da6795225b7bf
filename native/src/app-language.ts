import type { Configuration } from '@ondine/contract/configuration'
import { DEFAULT_LANGUAGE, isLanguage, type Language, languageTag } from '@ondine/contract/languages'

type LanguageSettings = Pick<Configuration['languages'], 'languages' | 'default' | 'detectBrowserLanguage'>

/**
 * Returns the language of the app, by the rules of the website: the viewer's choice, else the first language of
 * the device (if the operator enables this), else the configured language (V1-14, V9-19, spec 8).
 *
 * @param chosen the language that the viewer chose
 * @param spoken the languages of the device as BCP 47 tags, the preferred one first
 * @param settings undefined if the configuration is unreachable
 */
export function appLanguage(
  chosen: string | undefined,
  spoken: readonly string[],
  settings: LanguageSettings | undefined,
): Language {
  if (settings === undefined) return chosen !== undefined && isLanguage(chosen) ? chosen : DEFAULT_LANGUAGE
  const offered = settings.languages.filter(isLanguage)
  const detected = settings.detectBrowserLanguage ? spoken.map(primaryOf) : []
  const wanted = [
    offered.find((language) => language === chosen),
    ...detected.map((primary) => offered.find((language) => primaryOf(languageTag(language)) === primary)),
    offered.find((language) => language === settings.default),
  ]
  return wanted.find((language) => language !== undefined) ?? DEFAULT_LANGUAGE
}

function primaryOf(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? ''
}

import type { Configuration } from '@ondine/contract/configuration'
import { DEFAULT_LANGUAGE, isLanguage, type Language, languageTag } from '@ondine/contract/languages'
import { type LanguagePrefix, languageInPath, NO_PREFIX, prefixOf } from '@ondine/web/api/language-prefix'

/** The parts of a request that decide the language of its page. */
export interface LanguageWish {
  /** Path of the request's address. */
  pathname: string
  /** Language in the query of the address. The service worker sets it for the offline page. */
  asked?: string | null
  /** Language that the viewer has chosen, from a cookie. */
  cookie: string | undefined
  /** The header `accept-language`. */
  accepted: string | undefined
}

/**
 * Returns the language of a page. The sources are, in this order: the path, if paths contain a language; the
 * query; the viewer's choice; on a first visit, the browser's language if the operator enables that; the
 * configured language (V1-14, V2.3-08, V9-19, spec 8).
 */
export function languageOfPage(
  { pathname, asked, cookie, accepted }: LanguageWish,
  settings: Configuration['languages'],
): Language {
  const spoken = settings.languages.filter(isLanguage)
  const said = settings.urlPrefix ? languageInPath(pathname, spoken) : undefined
  const wanted = spoken.find((language) => language === asked)
  const chosen = wanted ?? spoken.find((language) => language === cookie)
  const detected = settings.detectBrowserLanguage ? firstAccepted(accepted ?? '', spoken) : undefined
  const configured = spoken.find((language) => language === settings.default)
  return said ?? chosen ?? detected ?? configured ?? DEFAULT_LANGUAGE
}

/** Returns the address prefix of pages in a language. */
export function prefixOfPage(language: Language, settings: Configuration['languages']): LanguagePrefix {
  return settings.urlPrefix ? { path: prefixOf(language), atRoot: settings.redirectRoot } : NO_PREFIX
}

/** Returns the available language that the browser prefers (RFC 9110, 12.5.4). */
function firstAccepted(header: string, spoken: readonly Language[]): Language | undefined {
  const wanted = header
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const weight = parameters.find((parameter) => parameter.trim().startsWith('q='))
      return {
        primary: tag.split('-')[0] ?? '',
        weight: weight === undefined ? 1 : Number(weight.trim().slice(2)),
      }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  for (const { primary } of wanted) {
    const found = spoken.find((language) => languageTag(language).toLowerCase() === primary)
    if (found !== undefined) return found
  }
  return undefined
}

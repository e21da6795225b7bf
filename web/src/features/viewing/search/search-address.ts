import { SEARCH_FILTERS } from '@ondine/contract/configuration-values'
import { TEXTS } from '@ondine/contract/constants'
import { SEARCH_KEYS, type SearchFilter, type SearchKey, type SearchType } from '@ondine/contract/search'
import { pathOf } from '../../ground/links/content-link.ts'
import { queryReader } from '../../ground/links/read-query.ts'

/**
 * Maximum length of a metadata value, in characters. It exceeds the limit for typed terms, because names can be
 * long.
 */
const VALUE_MAX = 200

/** The query parameters of a search's address. */
export interface SearchQuery {
  /** The metadata key of the value in the path (V2.1-18). Undefined for a search by words. */
  searchBy?: SearchKey | undefined
  /** The filter of the results; undefined for all results. */
  type?: SearchType | undefined
}

/** Reads the query parameters of a search's address. Unknown values are ignored. */
export const readSearchQuery = queryReader({
  searchBy: (name) => SEARCH_KEYS.find((key) => key === name),
  type: (name) => SEARCH_FILTERS.find((known) => known === name && known !== 'all'),
})

/** Returns the term of a search's address, cut to the length that the search field accepts (V5-01). */
export function termOf(slug: string, { searchBy }: SearchQuery): string {
  const words = slug.replaceAll(/\p{Cc}+/gu, ' ').trim()
  return cut(words, searchBy === undefined ? TEXTS.searchMax : VALUE_MAX)
}

/**
 * Cuts a text to `most` characters. Also removes surrogates without a partner, which are invalid in an address.
 */
function cut(words: string, most: number): string {
  return words.slice(0, most).replaceAll(/\p{Cs}/gu, '')
}

/** Returns the path of a search by words (V2.1-18, V4-10). Undefined if the words are only spaces (V5-01). */
export function searchPath(words: string): string | undefined {
  const slug = cut(words.trim(), TEXTS.searchMax).toLowerCase()
  return slug === '' ? undefined : pathOf('search', { slug })
}

/**
 * The metadata keys by their names in the address of a filtered search (V2.1-19), such as
 * `/search/filter/genre-drame,year-2026`.
 */
const NAMES = new Map<string, SearchKey>([
  ['actor', 'AD_LIACTORS'],
  ['director', 'AD_LIREALIS'],
  ['genre', 'AD_LIGENRES'],
  ['studio', 'AD_LIPRODUC'],
  ['year', 'TS_PRODYEAR'],
  ['series', 'AD_SURTITLE'],
])

/** Returns the conditions in an address. Undefined without a condition, or if a condition is unknown. */
export function readFilter(slug: string): SearchFilter | undefined {
  const filter: SearchFilter = {}
  for (const part of slug.split(',')) {
    const dash = part.indexOf('-')
    const key = NAMES.get(part.slice(0, dash))
    const value = part
      .slice(dash + 1)
      .replaceAll('-', ' ')
      .trim()
    if (key === undefined || value === '' || value.length > VALUE_MAX || /\p{Cc}/u.test(value))
      return undefined
    filter[key] = value
  }
  return filter
}

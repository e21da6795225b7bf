import { SEARCH_FILTERS } from '@ondine/contract/configuration-values'
import { TEXTS } from '@ondine/contract/constants'
import { SEARCH_KEYS, type SearchFilter, type SearchKey, type SearchType } from '@ondine/contract/search'
import { pathOf } from '../../ground/links/content-link.ts'
import { queryReader } from '../../ground/links/read-query.ts'

/** Maximum length of a metadata value. It exceeds the limit of typed terms, because names can be long. */
const VALUE_MAX = 200

/** The query of a search's address. */
export interface SearchQuery {
  /** The metadata key whose value is the term (V2.1-18). */
  searchBy?: SearchKey | undefined
  /** The filter of results; undefined for all. */
  type?: SearchType | undefined
}

/** Reads the query and ignores unknown values. */
export const readSearchQuery = queryReader({
  searchBy: (name) => SEARCH_KEYS.find((key) => key === name),
  type: (name) => SEARCH_FILTERS.find((known) => known === name && known !== 'all'),
})

/** Returns the search term of an address, limited to the length that the search box accepts (V5-01). */
export function termOf(slug: string, { searchBy }: SearchQuery): string {
  const words = slug.replaceAll(/\p{Cc}+/gu, ' ').trim()
  return cut(words, searchBy === undefined ? TEXTS.searchMax : VALUE_MAX)
}

/** Cuts a text, and removes unpaired surrogates, which no address can contain. */
function cut(words: string, most: number): string {
  return words.slice(0, most).replaceAll(/\p{Cs}/gu, '')
}

/** Returns the path of a search by words (V2.1-18, V4-10); undefined for a blank search (V5-01). */
export function searchPath(words: string): string | undefined {
  const slug = cut(words.trim(), TEXTS.searchMax).toLowerCase()
  return slug === '' ? undefined : pathOf('search', { slug })
}

/** The names of metadata in the address of a filtered search (V2.1-19): `/search/filter/genre-drame,year-2026`. */
const NAMES = new Map<string, SearchKey>([
  ['actor', 'AD_LIACTORS'],
  ['director', 'AD_LIREALIS'],
  ['genre', 'AD_LIGENRES'],
  ['studio', 'AD_LIPRODUC'],
  ['year', 'TS_PRODYEAR'],
  ['series', 'AD_SURTITLE'],
])

/** Returns the conditions of an address; undefined if it has none, or an unknown condition. */
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

import { SEARCH_FILTERS } from '@ondine/contract/configuration-values'
import { TEXTS } from '@ondine/contract/constants'
import { SEARCH_KEYS, type SearchFilter, type SearchKey, type SearchType } from '@ondine/contract/search'
import { pathOf } from '../links/content-link.ts'
import { queryReader } from '../links/read-query.ts'

/** Names of people are longer than what is typed. */
const VALUE_MAX = 200

/** What the query of a search's address says. */
export interface SearchQuery {
  /** The term is the value of this metadata (V2.1-18). */
  searchBy?: SearchKey | undefined
  /** Left out for all. */
  type?: SearchType | undefined
}

/** Reads the query; what is not known counts as not said. */
export const readSearchQuery = queryReader({
  searchBy: (name) => SEARCH_KEYS.find((key) => key === name),
  type: (name) => SEARCH_FILTERS.find((known) => known === name && known !== 'all'),
})

/** The term that an address is about: as it is typed, at most as long as the box lets in (V5-01). */
export function termOf(slug: string, { searchBy }: SearchQuery): string {
  const words = slug.replaceAll(/\p{Cc}+/gu, ' ').trim()
  return cut(words, searchBy === undefined ? TEXTS.searchMax : VALUE_MAX)
}

/** The beginning of a text, without half a character at its end, or any other that no address can hold. */
function cut(words: string, most: number): string {
  return words.slice(0, most).replaceAll(/\p{Cs}/gu, '')
}

/** Where a search by words stands (V2.1-18, V4-10); undefined for a blank one (V5-01). */
export function searchPath(words: string): string | undefined {
  const slug = cut(words.trim(), TEXTS.searchMax).toLowerCase()
  return slug === '' ? undefined : pathOf('search', { slug })
}

/** How metadata is called in the address of a filtered search (V2.1-19): `/search/filter/genre-drame,year-2026`. */
const NAMES = new Map<string, SearchKey>([
  ['actor', 'AD_LIACTORS'],
  ['director', 'AD_LIREALIS'],
  ['genre', 'AD_LIGENRES'],
  ['studio', 'AD_LIPRODUC'],
  ['year', 'TS_PRODYEAR'],
  ['series', 'AD_SURTITLE'],
])

/** The conditions that an address names; undefined when it names none, or one that is not known. */
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

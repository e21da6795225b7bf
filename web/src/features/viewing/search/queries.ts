import type { OutputOf } from '@ondine/contract/operation'
import { type SearchFilter, type SearchKey, type SearchType, search } from '@ondine/contract/search'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { areFew } from '../../../design/tokens/layouts.ts'
import { relatedQuery } from '../../content/catalogue/queries.ts'

/** The subject of a page of results. */
export type Wanted =
  | { term: string; searchBy?: SearchKey; type: SearchType }
  | { filter: SearchFilter; type: SearchType }

type Results = OutputOf<typeof search>

/** The configured number of results per request. */
export interface PageSizes {
  count: number
  itemsPerPage: number
}

/**
 * Results are kept while the viewer visits a title's page, so that the list is long enough for the scroll
 * position on return.
 */
const KEPT_MS = 30 * 60_000
const FIRST_PAGE = 1

/** The results of a search, page after page until one is empty (V7-27). */
export function resultsQuery(wanted: Wanted, { count, itemsPerPage }: PageSizes) {
  return infiniteQueryOptions({
    queryKey: ['search', wanted, count, itemsPerPage] as const,
    queryFn: async ({ pageParam: page }) =>
      await call(
        search,
        'filter' in wanted
          ? { filter: { ...wanted.filter, type: wanted.type }, type: wanted.type, count, itemsPerPage, page }
          : { ...wanted, count, itemsPerPage, page },
      ),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (last) => (last.items.length === 0 ? undefined : last.page + 1),
    gcTime: KEPT_MS,
  })
}

/** Titles related to the best of a few results; undefined if there are more results, or if none of them is a title. */
export function nearQuery(first: Results, type: SearchType) {
  if (!areFew(first.counts[type])) return undefined
  for (const { item } of first.items) {
    if (item.type === 'asset') return relatedQuery('asset', item.payload.idAsset)
    if (item.type === 'series') return relatedQuery('category', item.payload.idCatalog)
  }
  return undefined
}

/** A few of the best results, while the viewer types the term. */
export function suggestionsQuery(term: string, count: number) {
  return queryOptions({
    queryKey: ['search suggestions', term, count] as const,
    queryFn: async () =>
      await call(search, { term, type: 'all', count, itemsPerPage: count, page: FIRST_PAGE }),
  })
}

import type { OutputOf } from '@ondine/contract/operation'
import { type SearchFilter, type SearchKey, type SearchType, search } from '@ondine/contract/search'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { areFew } from '../../../design/tokens/layouts.ts'
import { LIST_KEPT_MS } from '../../content/catalogue/list-query.ts'
import { relatedQuery } from '../../content/catalogue/queries.ts'

/** The object of a search, and the filter of its results. */
export type Wanted =
  | { term: string; searchBy?: SearchKey; type: SearchType }
  | { filter: SearchFilter; type: SearchType }

type Results = OutputOf<typeof search>

/** Number of results per call, according to the configuration. */
export interface PageSizes {
  count: number
  itemsPerPage: number
}

const FIRST_PAGE = 1

/** The results of a search, page by page. A page without results is the last one (V7-27). */
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
    gcTime: LIST_KEPT_MS,
  })
}

/**
 * Titles related to the best result, for a search with few results. Undefined for more results, or if no result is
 * a title.
 */
export function nearQuery(first: Results, type: SearchType) {
  if (!areFew(first.counts[type])) return undefined
  for (const { item } of first.items) {
    if (item.type === 'asset') return relatedQuery('asset', item.payload.idAsset)
    if (item.type === 'series') return relatedQuery('category', item.payload.idCatalog)
  }
  return undefined
}

/** A few of the best results for the term in the search field, while the viewer types. */
export function suggestionsQuery(term: string, count: number) {
  return queryOptions({
    queryKey: ['search suggestions', term, count] as const,
    queryFn: async () =>
      await call(search, { term, type: 'all', count, itemsPerPage: count, page: FIRST_PAGE }),
  })
}

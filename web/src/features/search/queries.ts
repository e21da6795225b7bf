import type { OutputOf } from '@ondine/contract/operation'
import { type SearchFilter, type SearchKey, type SearchType, search } from '@ondine/contract/search'
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { load } from '../../api/load.ts'
import { areFew } from '../../design/layouts.ts'
import { relatedQuery } from '../catalogue/queries.ts'
import { configurationOf } from '../configuration/configuration-query.ts'

/** What a page of results is about. */
export type Wanted =
  | { term: string; searchBy?: SearchKey; type: SearchType }
  | { filter: SearchFilter; type: SearchType }

type Results = OutputOf<typeof search>

/** How many results come at once, from the configuration. */
export interface PageSizes {
  count: number
  itemsPerPage: number
}

/** A title's page is left and come back to: what was scrolled to is still there. */
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

/** What is like the best of a few results; undefined where there are more, or none of them is a title. */
export function nearQuery(first: Results, type: SearchType) {
  if (!areFew(first.counts[type])) return undefined
  for (const { item } of first.items) {
    if (item.type === 'asset') return relatedQuery('asset', item.payload.idAsset)
    if (item.type === 'series') return relatedQuery('category', item.payload.idCatalog)
  }
  return undefined
}

/** Fetches the first page of a search, and what is like its results where they are few. */
export async function fetchResults(queryClient: QueryClient, wanted: Wanted): Promise<void> {
  const query = resultsQuery(wanted, configurationOf(queryClient).search)
  const { pages } = await load(queryClient.ensureInfiniteQueryData(query))
  const near = pages[0] && nearQuery(pages[0], wanted.type)
  if (near !== undefined) await queryClient.prefetchQuery(near)
}

/** A few of the best results, while the term is being typed. */
export function suggestionsQuery(term: string, count: number) {
  return queryOptions({
    queryKey: ['search suggestions', term, count] as const,
    queryFn: async () =>
      await call(search, { term, type: 'all', count, itemsPerPage: count, page: FIRST_PAGE }),
  })
}

/** A new search drops the results of the one before (V4-10). */
export function dropOtherSearches(queryClient: QueryClient, wanted: Wanted): void {
  const subject = subjectOf(wanted)
  queryClient.removeQueries({
    queryKey: ['search'],
    // What is on the screen is still needed while the next one is fetched.
    type: 'inactive',
    predicate: ({ queryKey }) => subjectOf(queryKey[1] as Wanted) !== subject,
  })
}

function subjectOf(wanted: Wanted): string {
  return JSON.stringify({ ...wanted, type: undefined })
}

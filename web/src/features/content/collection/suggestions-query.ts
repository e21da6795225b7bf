import type { Asset } from '@ondine/contract/entities'
import type { QueryClient, QueryKey, UseQueryOptions } from '@tanstack/react-query'
import { relatedQuery } from '../catalogue/queries.ts'

/** A screen with at most this many titles is mostly empty. */
const FEW = 4

/**
 * The titles related to the first title of a screen. Undefined if the screen has no titles, or too many to need
 * suggestions.
 */
export function suggestionsQuery(titles: readonly Asset[]) {
  const [first] = titles
  return first === undefined || titles.length > FEW ? undefined : relatedQuery('asset', first.idAsset)
}

/**
 * Prefetches the titles of a screen, and for few titles also the suggestions below them, so that the page arrives
 * complete. If a request fails, the screen shows the error in place of its result.
 */
export async function prefetchTitles<Key extends QueryKey>(
  queryClient: QueryClient,
  query: UseQueryOptions<Asset[], Error, Asset[], Key>,
): Promise<void> {
  await queryClient.prefetchQuery(query)
  const suggestions = suggestionsQuery(queryClient.getQueryData<Asset[]>(query.queryKey) ?? [])
  if (suggestions !== undefined) await queryClient.prefetchQuery(suggestions)
}

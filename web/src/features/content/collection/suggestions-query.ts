import type { Asset } from '@ondine/contract/entities'
import type { QueryClient, QueryKey, UseQueryOptions } from '@tanstack/react-query'
import { relatedQuery } from '../catalogue/queries.ts'

/** A screen with at most this many titles is mostly empty. */
const FEW = 4

/**
 * The titles related to the first of a screen's titles. Undefined if the screen has no titles, or so many that it needs
 * no suggestions.
 */
export function suggestionsQuery(titles: readonly Asset[]) {
  const [first] = titles
  return first === undefined || titles.length > FEW ? undefined : relatedQuery('asset', first.idAsset)
}

/**
 * Fetches the titles of a screen, and then the suggestions below them if the titles are few, so that the page arrives
 * whole. If one of the two fails, the screen shows the error in its place.
 */
export async function prefetchTitles<Key extends QueryKey>(
  queryClient: QueryClient,
  query: UseQueryOptions<Asset[], Error, Asset[], Key>,
): Promise<void> {
  await queryClient.prefetchQuery(query)
  const suggestions = suggestionsQuery(queryClient.getQueryData<Asset[]>(query.queryKey) ?? [])
  if (suggestions !== undefined) await queryClient.prefetchQuery(suggestions)
}

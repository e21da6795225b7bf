import type { Asset } from '@ondine/contract/entities'
import type { QueryClient, QueryKey, UseQueryOptions } from '@tanstack/react-query'
import { relatedQuery } from '../catalogue/queries.ts'

/** Maximum number of titles that leave most of a window empty. */
const FEW = 4

/** The titles related to the first of a few titles. Undefined where there is no title, or where the titles fill the window. */
export function suggestionsQuery(titles: readonly Asset[]) {
  const [first] = titles
  return first === undefined || titles.length > FEW ? undefined : relatedQuery('asset', first.idAsset)
}

/**
 * Fetches a screen's titles, then the suggestions below a few of them, so that the page arrives whole. The screen shows an error of
 * either query in its place.
 */
export async function prefetchTitles<Key extends QueryKey>(
  queryClient: QueryClient,
  query: UseQueryOptions<Asset[], Error, Asset[], Key>,
): Promise<void> {
  await queryClient.prefetchQuery(query)
  const suggestions = suggestionsQuery(queryClient.getQueryData<Asset[]>(query.queryKey) ?? [])
  if (suggestions !== undefined) await queryClient.prefetchQuery(suggestions)
}

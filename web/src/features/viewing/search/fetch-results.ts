import type { QueryClient } from '@tanstack/react-query'
import { load } from '../../../api/load.ts'
import { configurationOf } from '../../ground/configuration/configuration-query.ts'
import { nearQuery, resultsQuery, type Wanted } from './queries.ts'

/** Fetches the first page of a search's results. For few results, also fetches titles related to them. */
export async function fetchResults(queryClient: QueryClient, wanted: Wanted): Promise<void> {
  dropOtherSearches(queryClient, wanted)
  const query = resultsQuery(wanted, configurationOf(queryClient).search)
  const { pages } = await load(queryClient.ensureInfiniteQueryData(query))
  const near = pages[0] && nearQuery(pages[0], wanted.type)
  if (near !== undefined) await queryClient.prefetchQuery(near)
}

/** Drops the results of all other searches (V4-10). */
function dropOtherSearches(queryClient: QueryClient, wanted: Wanted): void {
  const subject = subjectOf(wanted)
  queryClient.removeQueries({
    queryKey: ['search'],
    // Visible results stay until the new results arrive.
    type: 'inactive',
    predicate: ({ queryKey }) => subjectOf(queryKey[1] as Wanted) !== subject,
  })
}

function subjectOf(wanted: Wanted): string {
  return JSON.stringify({ ...wanted, type: undefined })
}

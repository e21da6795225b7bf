import type { QueryClient } from '@tanstack/react-query'
import { sessionQuery } from '../accounts/session.ts'
import { configurationQuery } from '../configuration/configuration-query.ts'
import { menusQuery } from '../publication/publication-query.ts'

/** Every page is drawn with these. */
const NEEDED: ReadonlySet<unknown> = new Set(
  [sessionQuery, configurationQuery, menusQuery].map(({ queryKey }) => queryKey[0]),
)

/**
 * Forgets what was fetched and is not on the screen, so that the next page asks for it anew.
 *
 * @param fetchStatus `idle` to leave alone what is on its way
 */
export function dropUnseen(queries: QueryClient, fetchStatus?: 'idle'): void {
  queries.removeQueries({
    type: 'inactive',
    ...(fetchStatus && { fetchStatus }),
    predicate: ({ queryKey }) => !NEEDED.has(queryKey[0]),
  })
}

import type { QueryClient } from '@tanstack/react-query'
import { configurationQuery } from '../configuration/configuration-query.ts'
import { menusQuery } from '../menus/menus-query.ts'
import { sessionQuery } from '../session/session.ts'

/** Names of queries that every page needs. They are never removed. */
const NEEDED: ReadonlySet<unknown> = new Set(
  [sessionQuery, configurationQuery, menusQuery].map(({ queryKey }) => queryKey[0]),
)

/**
 * Removes the queries that no component uses, so that the next page fetches their data again.
 *
 * @param fetchStatus with `idle`, queries that are being fetched are not removed
 */
export function dropUnseen(queries: QueryClient, fetchStatus?: 'idle'): void {
  queries.removeQueries({
    type: 'inactive',
    ...(fetchStatus && { fetchStatus }),
    predicate: ({ queryKey }) => !NEEDED.has(queryKey[0]),
  })
}

import type { QueryClient } from '@tanstack/react-query'
import { load } from '../api/load.ts'
import { sessionQuery } from '../features/accounts/session.ts'
import { hierarchyQuery } from '../features/catalogue/queries.ts'
import { configurationQuery } from '../features/configuration/configuration-query.ts'
import { menusQuery } from '../features/publication/publication-query.ts'

/**
 * The beginning of every page (V4-01): first the remote configuration, then who is signed in and watches. A page from the
 * server has brought the configuration along, and then nobody waits for it.
 *
 * @throws ApiError when one of them cannot be had
 */
export async function startSession(queryClient: QueryClient): Promise<void> {
  await load(queryClient.ensureQueryData(configurationQuery))
  await load(queryClient.ensureQueryData(sessionQuery))
}

/**
 * What all screens of the usual layout stand on, after {@link startSession} (V4-01): the menus and the catalogue's tree.
 * Without the tree there is no page to show (V8-01); without menus there is (decision 10).
 *
 * @throws ApiError when there is no tree
 */
export async function startShell(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    load(queryClient.ensureQueryData(hierarchyQuery)),
    queryClient.prefetchQuery(menusQuery),
  ])
}

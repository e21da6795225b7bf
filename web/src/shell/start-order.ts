import type { QueryClient } from '@tanstack/react-query'
import { load } from '../api/load.ts'
import { hierarchyQuery } from '../features/content/catalogue/queries.ts'
import { configurationQuery } from '../features/ground/configuration/configuration-query.ts'
import { menusQuery } from '../features/ground/menus/menus-query.ts'
import { sessionQuery } from '../features/ground/session/session.ts'

/**
 * Loads the data that every page needs first (V4-01): the remote configuration, then the session (who is signed in).
 * A page from the server already contains the configuration, so it is not fetched again.
 * @throws ApiError when the configuration or the session cannot be loaded
 */
export async function startSession(queryClient: QueryClient): Promise<void> {
  await load(queryClient.ensureQueryData(configurationQuery))
  await load(queryClient.ensureQueryData(sessionQuery))
}

/**
 * Loads the data of the default layout, after {@link startSession} (V4-01): the menus and the tree of categories.
 * A page needs the tree (V8-01), but can be rendered without the menus (spec 10).
 * @throws ApiError when the tree cannot be loaded
 */
export async function startShell(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    load(queryClient.ensureQueryData(hierarchyQuery)),
    queryClient.prefetchQuery(menusQuery),
  ])
}

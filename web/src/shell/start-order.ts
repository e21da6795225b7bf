import type { QueryClient } from '@tanstack/react-query'
import { load } from '../api/load.ts'
import { hierarchyQuery } from '../features/content/catalogue/queries.ts'
import { configurationQuery } from '../features/ground/configuration/configuration-query.ts'
import { menusQuery } from '../features/ground/menus/menus-query.ts'
import { sessionQuery } from '../features/ground/session/session.ts'

/**
 * Loads the data that every page starts with (V4-01): first the remote configuration, then the session. A page from the
 * server contains the configuration, which is then not fetched.
 * @throws ApiError when the configuration or the session cannot be loaded
 */
export async function startSession(queryClient: QueryClient): Promise<void> {
  await load(queryClient.ensureQueryData(configurationQuery))
  await load(queryClient.ensureQueryData(sessionQuery))
}

/**
 * Loads the data of all screens with the default layout, after {@link startSession} (V4-01): the menus and the
 * catalogue's tree. A page cannot be rendered without the tree (V8-01), but it can be rendered without menus (spec 10).
 * @throws ApiError when the tree cannot be loaded
 */
export async function startShell(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    load(queryClient.ensureQueryData(hierarchyQuery)),
    queryClient.prefetchQuery(menusQuery),
  ])
}

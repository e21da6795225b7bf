import type { QueryClient } from '@tanstack/react-query'
import { load } from '../api/load.ts'
import { prefetchTitles } from '../features/content/collection/suggestions-query.ts'
import {
  begunQuery,
  favouriteChannelsQuery,
  favouriteTitlesQuery,
} from '../features/content/favourites/favourites-query.ts'
import { nowQuery, windowStart } from '../features/content/line-up/queries.ts'
import { wallPage } from '../features/content/line-up/wall-page.ts'
import { sessionQuery } from '../features/ground/session/session.ts'
import { recordingsQuery } from '../features/television/recordings/recordings-query.ts'
import type { RouterContext } from './route-head.ts'

/** Loads what the profile has in progress. */
export async function loadBegun(queryClient: QueryClient): Promise<void> {
  await Promise.all([prefetchTitles(queryClient, begunQuery), queryClient.prefetchQuery(recordingsQuery)])
}

/**
 * Loads the favourites, and the current programmes of the favourite channels.
 *
 * @returns start of the current guide window, in seconds since the Unix epoch
 */
export async function loadFavourites({ queryClient }: RouterContext): Promise<{ start: number }> {
  const { now } = await load(queryClient.fetchQuery(sessionQuery))
  const start = windowStart(now)
  const loadChannels = async () => {
    await queryClient.prefetchQuery(favouriteChannelsQuery)
    const channels = queryClient.getQueryData(favouriteChannelsQuery.queryKey) ?? []
    if (channels.length > 0) await queryClient.prefetchQuery(nowQuery(start, wallPage(channels, 0).ids))
  }
  // `prefetchQuery` never rejects. Each part of the screen shows its own failure (V8-03).
  await Promise.all([
    queryClient.prefetchQuery(favouriteTitlesQuery),
    queryClient.prefetchQuery(recordingsQuery),
    loadChannels(),
  ])
  return { start }
}

import type { QueryClient } from '@tanstack/react-query'
import { load } from '../../api/load.ts'
import { sessionQuery } from '../accounts/session.ts'
import { channelsQuery, nowQuery, windowStart } from './queries.ts'

/** Loads what is on now. @returns where the window of the guide begins that it stands in, in seconds since the Unix epoch */
export async function loadLive(queryClient: QueryClient): Promise<{ start: number }> {
  const { now } = await load(queryClient.fetchQuery(sessionQuery))
  const start = windowStart(now)
  await Promise.all([
    load(queryClient.ensureQueryData(channelsQuery)),
    // Without the guide the channels are still there (V8-03).
    queryClient.prefetchQuery(nowQuery(start)),
  ])
  return { start }
}

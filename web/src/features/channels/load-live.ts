import type { QueryClient } from '@tanstack/react-query'
import { load } from '../../api/load.ts'
import { sessionQuery } from '../accounts/session.ts'
import { assetQuery } from '../catalogue/queries.ts'
import { configurationOf } from '../configuration/configuration-query.ts'
import { liveChannels } from './live-channels.ts'
import { channelsQuery, nowQuery, windowStart } from './queries.ts'
import { stageOf } from './stage-of.ts'
import { wallPage } from './wall-page.ts'

/** Loads what is on now. @returns where the window of the guide begins that it stands in, in seconds since the Unix epoch */
export async function loadLive(queryClient: QueryClient): Promise<{ start: number }> {
  const { now } = await load(queryClient.fetchQuery(sessionQuery))
  const start = windowStart(now)
  const all = await load(queryClient.ensureQueryData(channelsQuery))
  const { channelLiveMode } = configurationOf(queryClient).live
  const channels = liveChannels(all, channelLiveMode)
  const guide = nowQuery(start, wallPage(channels, 0).ids)
  // Without the guide the channels are still there (V8-03).
  await queryClient.prefetchQuery(guide)
  const stage = stageOf(channels, queryClient.getQueryData(guide.queryKey), now)
  if (stage?.current.idAsset != null) await queryClient.prefetchQuery(assetQuery(stage.current.idAsset))
  return { start }
}

import { load } from '../api/load.ts'
import { assetQuery } from '../features/content/catalogue/queries.ts'
import { channelsQuery, nowQuery, windowStart } from '../features/content/line-up/queries.ts'
import { wallPage } from '../features/content/line-up/wall-page.ts'
import { configurationOf } from '../features/ground/configuration/configuration-query.ts'
import { sessionQuery } from '../features/ground/session/session.ts'
import { liveChannels } from '../features/television/channels/live-channels.ts'
import { stageOf } from '../features/television/channels/stage-of.ts'
import { loadChannelUnlocking } from './load-shop.ts'
import type { RouterContext } from './route-head.ts'

/**
 * Loads the current programmes, and the offers that unlock the channel in the stage.
 *
 * @returns start of the current guide window, in seconds since the Unix epoch
 */
export async function loadLive(context: RouterContext): Promise<{ start: number }> {
  const { queryClient } = context
  const { now } = await load(queryClient.fetchQuery(sessionQuery))
  const start = windowStart(now)
  const all = await load(queryClient.ensureQueryData(channelsQuery))
  const { channelLiveMode } = configurationOf(queryClient).live
  const channels = liveChannels(all, channelLiveMode)
  const guide = nowQuery(start, wallPage(channels, 0).ids)
  // `prefetchQuery` never rejects, so the channels are shown even without the guide (V8-03).
  await queryClient.prefetchQuery(guide)
  const stage = stageOf(channels, queryClient.getQueryData(guide.queryKey), now)
  if (stage === undefined) return { start }
  await Promise.all([
    loadChannelUnlocking(context, stage.channel),
    stage.current.idAsset !== null && queryClient.prefetchQuery(assetQuery(stage.current.idAsset)),
  ])
  return { start }
}

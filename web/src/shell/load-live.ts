import { load } from '../api/load.ts'
import { sessionQuery } from '../features/accounts/session.ts'
import { assetQuery } from '../features/catalogue/queries.ts'
import { liveChannels } from '../features/channels/live-channels.ts'
import { channelsQuery, nowQuery, windowStart } from '../features/channels/queries.ts'
import { stageOf } from '../features/channels/stage-of.ts'
import { wallPage } from '../features/channels/wall-page.ts'
import { configurationOf } from '../features/configuration/configuration-query.ts'
import { loadChannelUnlocking } from './load-shop.ts'
import type { RouterContext } from './route-head.ts'

/**
 * Loads the current programmes, and the offers that unlock the channel of the stage.
 *
 * @returns start of the guide window that contains now, in seconds since the Unix epoch
 */
export async function loadLive(context: RouterContext): Promise<{ start: number }> {
  const { queryClient } = context
  const { now } = await load(queryClient.fetchQuery(sessionQuery))
  const start = windowStart(now)
  const all = await load(queryClient.ensureQueryData(channelsQuery))
  const { channelLiveMode } = configurationOf(queryClient).live
  const channels = liveChannels(all, channelLiveMode)
  const guide = nowQuery(start, wallPage(channels, 0).ids)
  // Without the guide the channels are still shown (V8-03).
  await queryClient.prefetchQuery(guide)
  const stage = stageOf(channels, queryClient.getQueryData(guide.queryKey), now)
  if (stage === undefined) return { start }
  await Promise.all([
    loadChannelUnlocking(context, stage.channel),
    stage.current.idAsset !== null && queryClient.prefetchQuery(assetQuery(stage.current.idAsset)),
  ])
  return { start }
}

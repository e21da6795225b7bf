import type { QueryClient } from '@tanstack/react-query'
import { load } from '../../../api/load.ts'
import { channelsQuery } from '../../content/line-up/queries.ts'
import { configurationOf } from '../../ground/configuration/configuration-query.ts'
import { guideDays } from '../../ground/days/days.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { missing } from '../../people/parental/above-level.ts'
import { channelDayQuery } from '../schedule/queries.ts'
import { nextDay } from './next-day.ts'
import { dayRange } from './range.ts'
import { zoneOfPage } from './zone-of-page.ts'

/**
 * Loads a channel with its programmes of one day. If the page also shows the next day, loads the programmes of
 * that day too.
 *
 * @param date the day in the address. Without a day, or for a day outside of the guide, today is loaded
 * @throws notFound for an unknown channel
 */
export async function loadChannelDay(queries: QueryClient, channelId: number, date: string | undefined) {
  const [{ now }, channels] = await load(
    Promise.all([queries.fetchQuery(sessionQuery), queries.ensureQueryData(channelsQuery)]),
  )
  const channel = channels.find(({ idChannel }) => idChannel === channelId)
  if (channel === undefined) throw await missing(queries, { contentType: 'channel', contentId: channelId })
  const { epgGridConfiguration } = configurationOf(queries).guide
  const guide = guideDays(now, zoneOfPage(), dayRange(epgGridConfiguration))
  const day = guide.days.find((each) => each.date === date) ?? guide.today
  const query = channelDayQuery(day, channel.idChannel)
  // `prefetchQuery` never fails, so the page shows the channel even if the guide cannot be fetched (V8-03).
  await queries.prefetchQuery(query)
  const programmes = queries.getQueryData(query.queryKey)?.[`chan_${channel.idChannel}`] ?? []
  const next = nextDay(guide, day, programmes, now)
  if (next !== undefined) await queries.prefetchQuery(channelDayQuery(next, channel.idChannel))
  return {
    id: channel.idChannel,
    name: channel.name,
    synopsis: channel.synopsis,
    path: `${channel.detailRoute}/epg`,
    image: channel.logoImage,
  }
}

import type { Language } from '@ondine/contract/languages'
import type { QueryClient } from '@tanstack/react-query'
import { load } from '../../../api/load.ts'
import { channelsQuery } from '../../content/line-up/queries.ts'
import { configurationOf } from '../../ground/configuration/configuration-query.ts'
import { guideDays } from '../../ground/days/days.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { filterOf } from '../channels/channel-groups.ts'
import { type GuideAddress, viewOf } from '../schedule/address.ts'
import { gridQuery } from '../schedule/queries.ts'
import { blockOf, channelsOf } from './channel-blocks.ts'
import { dayRange } from './range.ts'
import { shownDay } from './shown-day.ts'
import { zoneOfPage } from './zone-of-page.ts'

/**
 * Loads all channels, and for the first visible channels, the programmes of the day that the guide marks as shown
 * (V2.3-03). Just after midnight, that is today, although the view begins on the day before.
 */
export async function loadGuide(
  queries: QueryClient,
  address: GuideAddress,
  language: Language,
): Promise<void> {
  const [{ now }, channels] = await load(
    Promise.all([queries.fetchQuery(sessionQuery), queries.fetchQuery({ ...channelsQuery, staleTime: 0 })]),
  )
  const { epgGridConfiguration } = configurationOf(queries).guide
  const guide = guideDays(now, zoneOfPage(), dayRange(epgGridConfiguration))
  const day = shownDay(guide, viewOf(address, guide, now), now, undefined)
  const ids = filterOf(channels, address.filter, language).channels.map(({ idChannel }) => idChannel)
  const block = channelsOf(ids, blockOf(ids.indexOf(address.channel ?? 0)))
  // `prefetchQuery` never fails, so the page shows the channels even if the guide cannot be fetched (V8-03).
  await queries.prefetchQuery(gridQuery(day, block))
}

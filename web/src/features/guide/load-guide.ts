import type { Language } from '@ondine/contract/languages'
import type { QueryClient } from '@tanstack/react-query'
import { load } from '../../api/load.ts'
import { sessionQuery } from '../accounts/session.ts'
import { channelsQuery } from '../channels/queries.ts'
import { configurationOf } from '../configuration/configuration-query.ts'
import { type GuideAddress, viewOf } from './address.ts'
import { blockOf, channelsOf } from './channel-blocks.ts'
import { filterOf } from './channel-groups.ts'
import { dayOf, guideDays } from './days.ts'
import { gridQuery } from './queries.ts'
import { dayRange } from './range.ts'
import { zoneOfPage } from './zone-of-page.ts'

/** Loads the channels, and the day in the address from its midnight on for the first visible channels (V2.3-03). */
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
  const day = dayOf(guide.days, viewOf(address, guide, now)) ?? guide.today
  const ids = filterOf(channels, address.filter, language).channels.map(({ idChannel }) => idChannel)
  const block = channelsOf(ids, blockOf(ids.indexOf(address.channel ?? 0)))
  // Without the guide the channels are still shown (V8-03).
  await queries.prefetchQuery(gridQuery(day, block))
}

import type { Channel, Programme } from '@ondine/contract/entities'
import type { QueryClient } from '@tanstack/react-query'
import { assetQuery } from '../../content/catalogue/queries.ts'
import { dayQuery } from '../../content/line-up/queries.ts'
import { hoursOfDay, startOfDay } from '../../ground/days/programme-time.ts'
import { loadRecordings } from '../recordings/load-recordings.ts'
import { eventQuery } from '../schedule/queries.ts'
import { aroundNow, needsNeighbours } from './around-now.ts'

/**
 * Loads what the page of a channel shows of the present: recordings, the current programme's neighbours and its asset.
 * Without a current or next programme, loads the day, because the page lists it then.
 *
 * @param programmes the programmes of the next hours; undefined if the guide could not be loaded
 */
export async function loadAroundNow(
  queries: QueryClient,
  channel: Channel,
  programmes: readonly Programme[] | undefined,
  { now, timeZone }: { now: number; timeZone: string },
): Promise<void> {
  const around = aroundNow(programmes ?? [], now)
  const { current, next } = around
  const midnight = startOfDay(now, timeZone)
  const isSilent = programmes !== undefined && current === undefined && next === undefined
  await Promise.all([
    loadRecordings(queries, channel, current),
    isSilent && queries.prefetchQuery(dayQuery(midnight, hoursOfDay(midnight, timeZone), channel.idChannel)),
    current !== undefined &&
      needsNeighbours(around) &&
      queries.prefetchQuery(eventQuery(current.id, channel.idChannel)),
    current?.idAsset != null && queries.prefetchQuery(assetQuery(current.idAsset)),
  ])
}

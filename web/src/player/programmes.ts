import { epg } from '@ondine/contract/channels'
import type { Programme } from '@ondine/contract/entities'
import type { OpeningService } from './opening.ts'

const DAY_SECONDS = 86_400

/** How much of the guide the player asks for: from the midnight before the last one, 72 hours (V7, live programme query). */
const WINDOW_HOURS = 72

/**
 * A channel's programmes around `now`, in order of time. `now` in seconds since the Unix epoch; days begin at midnight
 * UTC.
 */
export async function fetchProgrammes(
  idChannel: number,
  now: number,
  service: Pick<OpeningService, 'call'>,
): Promise<Programme[]> {
  const midnight = Math.floor(now / DAY_SECONDS) * DAY_SECONDS
  const guide = await service.call(epg, {
    start: midnight - DAY_SECONDS,
    offset: 0,
    hours: WINDOW_HOURS,
    channelIds: [idChannel],
  })
  return (guide[`chan_${idChannel}`] ?? []).toSorted((a, b) => a.startutc - b.startutc)
}

/** The programme that runs at `now`; its start belongs to it, its end to the next one. Seconds since the Unix epoch. */
export function programmeAt(programmes: readonly Programme[], now: number): Programme | undefined {
  return programmes.find(({ startutc, endutc }) => now >= startutc && now < endutc)
}

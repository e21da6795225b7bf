import { epg } from '@ondine/contract/channels'
import type { Programme } from '@ondine/contract/entities'
import type { OpeningService } from './opening.ts'

const DAY_SECONDS = 86_400

/** Length of the requested guide, which begins at midnight of the day before (V7, live programme query). */
const WINDOW_HOURS = 72

/**
 * Fetches a channel's programmes around `now`, in order of time. `now` is in seconds since the Unix epoch. Days
 * begin at midnight UTC.
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

/**
 * Returns the programme at `now`. A programme includes its start and excludes its end. Times are seconds since the
 * Unix epoch.
 */
export function programmeAt(programmes: readonly Programme[], now: number): Programme | undefined {
  return programmes.find(({ startutc, endutc }) => now >= startutc && now < endutc)
}

/** Returns the programme that follows `current`. `programmes` are in order of time. */
export function programmeAfter(
  programmes: readonly Programme[],
  current: Pick<Programme, 'endutc'>,
): Programme | undefined {
  return programmes.find(({ startutc }) => startutc >= current.endutc)
}

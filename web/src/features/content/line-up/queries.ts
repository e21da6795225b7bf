import { epg, listChannels } from '@ondine/contract/channels'
import { query } from '../../../api/query.ts'

/**
 * The list of channels is part of a page only if it has at most this many channels. Otherwise the browser fetches
 * it with a call, because the service compresses that answer once for many viewers.
 */
const MOST_IN_PAGE = 500

/**
 * All channels, sorted by number. Screens read this query with `useSuspenseQuery`, so that a rendered page does not
 * change until the list arrives.
 */
export const channelsQuery = { ...query(listChannels, {}), meta: { mostInPage: MOST_IN_PAGE } }

const WINDOW_SECONDS = 900
/**
 * Length of the guide's window for one channel, in hours. The window contains the current and the next programme,
 * even long ones.
 */
const WINDOW_HOURS = 6
/**
 * Length of the guide's window for several channels, in hours. A window stays in use for a quarter of an hour, and
 * still contains the next hour after that time.
 */
const WALL_HOURS = 2
/** How far before the window's start the programmes of one channel are fetched, in seconds. */
const BEFORE_SECONDS = 7200

/**
 * Returns the start of the guide's window at `now`, in seconds since the Unix epoch. The start changes only every
 * quarter of an hour, so that the server and the browser use the same query.
 */
export function windowStart(now: number): number {
  return Math.floor(now / WINDOW_SECONDS) * WINDOW_SECONDS
}

/**
 * The programmes of channels around the current time. For one channel, given by its id, they include earlier
 * programmes. For several channels, they include the next hour. Do not request all channels, because there may be
 * thousands.
 *
 * @param start the result of {@link windowStart}
 */
export function nowQuery(start: number, channels: number | readonly number[]) {
  if (typeof channels === 'number') {
    return query(epg, {
      start: start - BEFORE_SECONDS,
      offset: 0,
      hours: WINDOW_HOURS,
      channelIds: [channels],
    })
  }
  return query(epg, { start, offset: 0, hours: WALL_HOURS, channelIds: [...channels] })
}

/**
 * The programmes of one channel on a day. `midnight` is the start of the day in seconds since the Unix epoch.
 * `hours` is the length of the day, because not every day has 24 hours.
 */
export function dayQuery(midnight: number, hours: number, channelId: number) {
  return query(epg, { start: midnight, offset: 0, hours, channelIds: [channelId] })
}

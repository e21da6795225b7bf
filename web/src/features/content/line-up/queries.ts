import { epg, listChannels } from '@ondine/contract/channels'
import { query } from '../../../api/query.ts'

/**
 * A page contains at most this many channels. The browser fetches a longer list with a call, whose compressed
 * answer many viewers share.
 */
const MOST_IN_PAGE = 500

/** All channels, by number. Screens read it with `useSuspenseQuery`, so that a page stays as rendered until the list arrives. */
export const channelsQuery = { ...query(listChannels, {}), meta: { mostInPage: MOST_IN_PAGE } }

const WINDOW_SECONDS = 900
/** Hours of the window for one channel: enough for the current and the next programme, even long ones. */
const WINDOW_HOURS = 6
/** Hours of the window for several channels. The window always contains the next hour. */
const WALL_HOURS = 2
/** How much of the past is fetched for one channel. */
const BEFORE_SECONDS = 7200

/** Returns the start of a guide window. It stays the same for a quarter of an hour, so that server and browser use the same query. */
export function windowStart(now: number): number {
  return Math.floor(now / WINDOW_SECONDS) * WINDOW_SECONDS
}

/**
 * The programmes around now. For one channel, given by its id, the query includes earlier programmes. For
 * several channels, it includes the next hour. Do not use it for all channels, because there may be
 * thousands.
 *
 * @param start in seconds since the Unix epoch
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

/** A whole day of one channel, from `midnight` in seconds since the Unix epoch. Some days do not have 24 hours. */
export function dayQuery(midnight: number, hours: number, channelId: number) {
  return query(epg, { start: midnight, offset: 0, hours, channelIds: [channelId] })
}

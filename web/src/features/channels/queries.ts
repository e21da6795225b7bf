import { epg, listChannels } from '@ondine/contract/channels'
import { query } from '../../api/query.ts'

/** More channels than this are not written into a page: the browser asks for their list, which is packed and shared. */
const MOST_IN_PAGE = 500

/** All channels, by number. Screens read it with `useSuspenseQuery`, so that a page stays as it was made until the list is there. */
export const channelsQuery = { ...query(listChannels, {}), meta: { mostInPage: MOST_IN_PAGE } }

const WINDOW_SECONDS = 900
/** Long enough for what is on now and what follows, however long it is. */
const WINDOW_HOURS = 6
/** Of some channels on a page: what follows within an hour, wherever in the window that hour begins. */
const WALL_HOURS = 2
/** Of one channel, also what came before. */
const BEFORE_SECONDS = 7200

/** The start of a window of the guide: the same for a quarter of an hour, so that server and browser ask alike. */
export function windowStart(now: number): number {
  return Math.floor(now / WINDOW_SECONDS) * WINDOW_SECONDS
}

/**
 * What is on around now: of one channel, given by its number, also what came before; of some, and what follows within the
 * hour. Never of all: there may be thousands.
 *
 * @param start in seconds since the epoch
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

/** A whole day of one channel, from `midnight`, in seconds since the epoch; on some days it is not of 24 hours. */
export function dayQuery(midnight: number, hours: number, channelId: number) {
  return query(epg, { start: midnight, offset: 0, hours, channelIds: [channelId] })
}

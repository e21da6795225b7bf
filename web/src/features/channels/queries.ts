import { epg, listChannels } from '@ondine/contract/channels'
import { query } from '../../api/query.ts'

/** All channels, by number. */
export const channelsQuery = query(listChannels, {})

const WINDOW_SECONDS = 900
/** Long enough for what is on now and what follows, however long it is. */
const WINDOW_HOURS = 6
/** Of one channel, also what came before. */
const BEFORE_SECONDS = 7200

/** The start of a window of the guide: the same for a quarter of an hour, so that server and browser ask alike. */
export function windowStart(now: number): number {
  return Math.floor(now / WINDOW_SECONDS) * WINDOW_SECONDS
}

/** What is on around now, of all channels or of one. `start` in seconds since the epoch. */
export function nowQuery(start: number, channelId?: number) {
  return query(epg, {
    start: channelId === undefined ? start : start - BEFORE_SECONDS,
    offset: 0,
    hours: channelId === undefined ? 1 : WINDOW_HOURS,
    ...(channelId === undefined ? {} : { channelIds: [channelId] }),
  })
}

/** A whole day of one channel, from `midnight`, in seconds since the epoch; on some days it is not of 24 hours. */
export function dayQuery(midnight: number, hours: number, channelId: number) {
  return query(epg, { start: midnight, offset: 0, hours, channelIds: [channelId] })
}

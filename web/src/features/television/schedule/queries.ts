import { epg, epgEvent, epgGrid } from '@ondine/contract/channels'
import type { InputOf } from '@ondine/contract/operation'
import { query } from '../../../api/query.ts'
import type { GuideDay } from '../../ground/days/days.ts'

const HOUR_SECONDS = 3600
/** Guide data stays fresh for this time, because it is imported at night. */
const FRESH_MS = 300_000

/** A request for the guide (V7-36): hours of a day, counted from its midnight. `midnight` is in seconds since the Unix epoch. */
export interface GuideRequest {
  midnight: number
  startHour: number
  endHour: number
  /** Defaults to all channels. */
  channelIds?: readonly number[]
}

/** Returns the call's input for a request. The call itself adds `languageId`. */
export function guideWindow({ midnight, startHour, endHour, channelIds }: GuideRequest): InputOf<typeof epg> {
  return {
    start: midnight + startHour * HOUR_SECONDS,
    offset: 0,
    hours: endHour - startHour,
    ...(channelIds !== undefined && { channelIds: [...channelIds] }),
  }
}

/** Returns the hours of a day: 24, or 23 or 25 when the clocks change. Partial hours count as whole. */
export function hoursOf({ start, end }: GuideDay): number {
  return Math.ceil((end - start) / HOUR_SECONDS)
}

/** A whole day of some channels, for the grid. */
export function gridQuery(day: GuideDay, channelIds: readonly number[]) {
  const window = guideWindow({ midnight: day.start, startHour: 0, endHour: hoursOf(day), channelIds })
  return { ...query(epgGrid, window), staleTime: FRESH_MS }
}

/** A whole day of one channel, with all details of its programmes. */
export function channelDayQuery(day: GuideDay, channelId: number) {
  const window = guideWindow({
    midnight: day.start,
    startHour: 0,
    endHour: hoursOf(day),
    channelIds: [channelId],
  })
  return { ...query(epg, window), staleTime: FRESH_MS }
}

/** A programme with its neighbours and its other showings (V7-11). */
export function eventQuery(idEvent: number, idChannel = 0) {
  return { ...query(epgEvent, { idChannel, idEvent }), staleTime: FRESH_MS }
}

/** Hours shown after a programme. */
const FOLLOWING_HOURS = 8

/** The programmes after a programme on its channel. */
export function followingQuery({ endutc, id_channel }: { endutc: number; id_channel: number }) {
  const window = guideWindow({
    midnight: endutc,
    startHour: 0,
    endHour: FOLLOWING_HOURS,
    channelIds: [id_channel],
  })
  return { ...query(epg, window), staleTime: FRESH_MS }
}

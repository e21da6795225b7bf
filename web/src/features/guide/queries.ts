import { epg, epgEvent, epgGrid } from '@ondine/contract/channels'
import type { InputOf } from '@ondine/contract/operation'
import { query } from '../../api/query.ts'
import type { GuideDay } from './days.ts'

const HOUR_SECONDS = 3600
/** What is known of a guide stays so for a while: it is imported at night. */
const FRESH_MS = 300_000

/** What a guide asks for (V7-36): hours of a day, counted from its midnight. `midnight` in seconds since the Unix epoch. */
export interface GuideRequest {
  midnight: number
  startHour: number
  endHour: number
  /** All channels when left out. */
  channelIds?: readonly number[]
}

/** The window of the guide that a request means; `languageId` travels with every call. */
export function guideWindow({ midnight, startHour, endHour, channelIds }: GuideRequest): InputOf<typeof epg> {
  return {
    start: midnight + startHour * HOUR_SECONDS,
    offset: 0,
    hours: endHour - startHour,
    ...(channelIds !== undefined && { channelIds: [...channelIds] }),
  }
}

/** Hours of a day: 24, or 23 and 25 when the clocks change; begun ones count. */
export function hoursOf({ start, end }: GuideDay): number {
  return Math.ceil((end - start) / HOUR_SECONDS)
}

/** A whole day of some channels, as the grid shows it. */
export function gridQuery(day: GuideDay, channelIds: readonly number[]) {
  const window = guideWindow({ midnight: day.start, startHour: 0, endHour: hoursOf(day), channelIds })
  return { ...query(epgGrid, window), staleTime: FRESH_MS }
}

/** A whole day of one channel, with everything that is known of its programmes. */
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

/** Hours that are shown of what follows a programme. */
const FOLLOWING_HOURS = 8

/** What follows a programme on its channel. */
export function followingQuery({ endutc, id_channel }: { endutc: number; id_channel: number }) {
  const window = guideWindow({
    midnight: endutc,
    startHour: 0,
    endHour: FOLLOWING_HOURS,
    channelIds: [id_channel],
  })
  return { ...query(epg, window), staleTime: FRESH_MS }
}

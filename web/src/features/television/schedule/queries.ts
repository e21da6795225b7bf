import { epg, epgEvent, epgGrid } from '@ondine/contract/channels'
import type { InputOf } from '@ondine/contract/operation'
import { query } from '../../../api/query.ts'
import type { GuideDay } from '../../ground/days/days.ts'

const HOUR_SECONDS = 3600
/**
 * Time for which data of the guide stays fresh, in milliseconds. The data seldom changes, because guides are
 * imported at night.
 */
const FRESH_MS = 300_000
/** Least time after which an open screen fetches its data of the guide again, in milliseconds. */
const REFETCH_MS = 600_000

/**
 * Options for the queries of an open screen of the guide. It fetches its data again regularly, and when the viewer
 * returns to it, because the guide can change meanwhile. The interval differs between pages, so that screens that were
 * opened at the same moment do not call together.
 */
export const KEPT_FRESH = {
  staleTime: FRESH_MS,
  refetchInterval: REFETCH_MS * (1 + Math.random() / 2),
  refetchOnWindowFocus: true,
} as const

/** Least time after which an open screen fetches the list of channels again, in milliseconds. The list can be long. */
const LIST_REFETCH_MS = 3600_000

/** Like {@link KEPT_FRESH}, for the list of channels. */
export const LIST_KEPT_FRESH = {
  staleTime: LIST_REFETCH_MS,
  refetchInterval: LIST_REFETCH_MS * (1 + Math.random() / 2),
  refetchOnWindowFocus: true,
} as const

/**
 * The parameters of a call for the guide (V7-36). `midnight` is the start of a day in seconds since the Unix epoch.
 * `startHour` and `endHour` are counted from `midnight`.
 */
export interface GuideRequest {
  midnight: number
  startHour: number
  endHour: number
  /** Ids of the channels; by default, all channels. */
  channelIds?: readonly number[]
}

/** Returns the input of the call for a request. `call` adds `languageId` to the input. */
export function guideWindow({ midnight, startHour, endHour, channelIds }: GuideRequest): InputOf<typeof epg> {
  return {
    start: midnight + startHour * HOUR_SECONDS,
    offset: 0,
    hours: endHour - startHour,
    ...(channelIds !== undefined && { channelIds: [...channelIds] }),
  }
}

/**
 * Returns the number of hours of a day: usually 24, or 23 or 25 if the clocks change. For a change of half an
 * hour, the result is rounded up.
 */
export function hoursOf({ start, end }: GuideDay): number {
  return Math.ceil((end - start) / HOUR_SECONDS)
}

/** A whole day of some channels, for the grid. */
export function gridQuery(day: GuideDay, channelIds: readonly number[]) {
  const window = guideWindow({ midnight: day.start, startHour: 0, endHour: hoursOf(day), channelIds })
  return { ...query(epgGrid, window), ...KEPT_FRESH }
}

/** A whole day of one channel, with all details of its programmes. */
export function channelDayQuery(day: GuideDay, channelId: number) {
  const window = guideWindow({
    midnight: day.start,
    startHour: 0,
    endHour: hoursOf(day),
    channelIds: [channelId],
  })
  return { ...query(epg, window), ...KEPT_FRESH }
}

/** A programme, with the programmes before and after it and its other showings (V7-11). */
export function eventQuery(idEvent: number, idChannel = 0) {
  return { ...query(epgEvent, { idChannel, idEvent }), staleTime: FRESH_MS }
}

/** The programmes that begin within this many hours after a programme are fetched as the following programmes. */
const FOLLOWING_HOURS = 8

/** The programmes of the same channel after a programme. */
export function followingQuery({ endutc, id_channel }: { endutc: number; id_channel: number }) {
  const window = guideWindow({
    midnight: endutc,
    startHour: 0,
    endHour: FOLLOWING_HOURS,
    channelIds: [id_channel],
  })
  return { ...query(epg, window), staleTime: FRESH_MS }
}

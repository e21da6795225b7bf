import { homeContent } from '@ondine/contract/catalogue'
import { recordedStateOf } from '@ondine/contract/recording-states'
import { listRecordings, listSeriesRecordings, type Recording, readQuota } from '@ondine/contract/recordings'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { query } from '../../../api/query.ts'

/** Recordings change in other tabs and on other devices, so a tab fetches them again when the viewer returns to it. */
const SHARED = { refetchOnWindowFocus: 'always' } as const

/** The recordings of the active profile (A7.3-10). */
export const recordingsQuery = queryOptions({ ...query(listRecordings, {}), ...SHARED })

/** The recording time of the account (A7.3-14). */
export const quotaQuery = queryOptions({ ...query(readQuota, {}), ...SHARED })

/** The series that the active profile records. */
export const seriesQuery = queryOptions({ ...query(listSeriesRecordings, {}), ...SHARED })

/** The series recordings of the series of a programme, on any channel. */
export const seriesOfQuery = ({ id }: { id: number }) =>
  queryOptions({ ...query(listSeriesRecordings, { idEvent: id }), ...SHARED })

/** Refetches the recordings, the series, the recording time, and home, which has rails with recordings. */
export async function refreshRecordings(queries: QueryClient): Promise<void> {
  // The key of `seriesQuery` matches each `seriesOfQuery` too.
  const stale = [recordingsQuery.queryKey, quotaQuery.queryKey, seriesQuery.queryKey, [homeContent.name]]
  await Promise.all(stale.map(async (queryKey) => await queries.invalidateQueries({ queryKey })))
}

/** Interval between fetches of a recording after its programme, in seconds. */
const TAIL_SECONDS = 20

/**
 * Time after the end of a programme in which the result of its recording is fetched, in seconds. It is longer than the
 * usual margin of a recording. A minute or two after the margin, the service checks whether the recording is complete.
 */
const RESULT_SECONDS = 10 * 60

/**
 * Returns a number that changes when recordings must be fetched again: when a programme begins or ends, and
 * regularly while a recording continues after its programme, and until its result is known. Only the service knows the
 * margin of such a recording.
 */
export function changesUntil(
  recordings: Iterable<Pick<Recording, 'startutc' | 'endutc' | 'state'>>,
  now: number,
): number {
  let changes = 0
  for (const { startutc, endutc, state } of recordings) {
    changes += Number(startutc <= now) + Number(endutc <= now)
    // A withheld recording can wait a day for its guide, so it is not fetched regularly.
    if (endutc > now || state === 'withheld') continue
    const until = isScheduled({ state }) ? now : Math.min(now, endutc + RESULT_SECONDS)
    changes += Math.floor((until - endutc) / TAIL_SECONDS)
  }
  return changes
}

/** A list of recordings that a page shows, with the result of {@link changesUntil} for it. */
interface Shown {
  list: unknown
  changes: number
}

/**
 * Returns whether a list is outdated, because its number has changed since it was fetched. A list that has just
 * arrived is not outdated, whatever its number is.
 */
export function isOutdated(before: Shown, shown: Shown): boolean {
  return before.list === shown.list && before.changes !== shown.changes
}

/**
 * Returns whether the rest of a programme can be recorded (spec 38). If a recording has ended before its programme, the
 * viewer has stopped it, or the guide has lengthened the programme since.
 *
 * @param announcedEnd the end of the programme in the guide, in seconds since the Unix epoch
 */
export function canContinue(
  { state, endutc }: Pick<Recording, 'state' | 'endutc'>,
  now: number,
  announcedEnd = endutc,
): boolean {
  return recordedStateOf(state) === 'recorded' && now < Math.max(endutc, announcedEnd)
}

/** Returns whether a recording is planned or in progress. */
export function isScheduled({ state }: Pick<Recording, 'state'>): boolean {
  const recorded = recordedStateOf(state)
  return recorded === 'planned' || recorded === 'recording'
}

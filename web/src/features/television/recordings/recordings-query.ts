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

/** Refetches the recordings, the series and the recording time. */
export async function refreshRecordings(queries: QueryClient): Promise<void> {
  await Promise.all(
    [recordingsQuery, quotaQuery, seriesQuery].map(
      async ({ queryKey }) => await queries.invalidateQueries({ queryKey }),
    ),
  )
}

/** Interval at which a recording is fetched again that continues after its programme, in seconds. */
const TAIL_SECONDS = 20

/**
 * Returns a number that changes when recordings must be fetched again: when a programme begins or ends, and regularly
 * while a recording continues after its programme, because only the service knows its margin.
 */
export function changesUntil(
  recordings: Iterable<Pick<Recording, 'startutc' | 'endutc' | 'state'>>,
  now: number,
): number {
  let changes = 0
  for (const { startutc, endutc, state } of recordings) {
    changes += Number(startutc <= now) + Number(endutc <= now)
    // A withheld recording may wait for its guide for a day.
    const isGoingOn = isScheduled({ state }) && state !== 'withheld'
    if (endutc <= now && isGoingOn) changes += Math.floor((now - endutc) / TAIL_SECONDS)
  }
  return changes
}

/** A list of recordings that a page shows, and its number of {@link changesUntil}. */
interface Shown {
  list: unknown
  changes: number
}

/** Returns whether time has changed a list since it was fetched. Another list has another number, and is new. */
export function isOutdated(before: Shown, shown: Shown): boolean {
  return before.list === shown.list && before.changes !== shown.changes
}

/** Returns whether a recording belongs to the scheduled recordings: it is planned, or it runs. */
export function isScheduled({ state }: Pick<Recording, 'state'>): boolean {
  const recorded = recordedStateOf(state)
  return recorded === 'planned' || recorded === 'recording'
}

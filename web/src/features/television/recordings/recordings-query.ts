import { recordedStateOf } from '@ondine/contract/recording-states'
import { listRecordings, listSeriesRecordings, type Recording, readQuota } from '@ondine/contract/recordings'
import type { QueryClient } from '@tanstack/react-query'
import { query } from '../../../api/query.ts'

/** The recordings of the active profile (A7.3-10). */
export const recordingsQuery = query(listRecordings, {})

/** The recording time of the account (A7.3-14). */
export const quotaQuery = query(readQuota, {})

/** The series that the active profile records. */
export const seriesQuery = query(listSeriesRecordings, {})

/** Refetches the recordings and the recording time. */
export async function refreshRecordings(queries: QueryClient): Promise<void> {
  await Promise.all(
    [recordingsQuery, quotaQuery].map(async ({ queryKey }) => await queries.invalidateQueries({ queryKey })),
  )
}

/** Returns whether a recording belongs to the scheduled recordings: it is planned, or it runs. */
export function isScheduled({ state }: Pick<Recording, 'state'>): boolean {
  const recorded = recordedStateOf(state)
  return recorded === 'planned' || recorded === 'recording'
}

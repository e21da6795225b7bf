import type { Channel, Programme } from '@ondine/contract/entities'
import type { QueryClient } from '@tanstack/react-query'
import { sessionQuery } from '../../ground/session/session.ts'
import { quotaQuery, recordingsQuery, seriesOfQuery, seriesQuery } from './recordings-query.ts'

/**
 * Loads the recordings of the active profile, for a page with record buttons. Loads nothing for a signed-out viewer.
 * If the viewer may play the channel, also loads the recording time.
 */
export async function loadRecordings(
  queries: QueryClient,
  channel: Pick<Channel, 'isIncludedInUserOffers'> | undefined,
  programme: Pick<Programme, 'id'> | undefined,
): Promise<void> {
  const { profile } = await queries.ensureQueryData(sessionQuery)
  if (profile === null) return
  await Promise.all([
    queries.prefetchQuery(recordingsQuery),
    programme !== undefined && queries.prefetchQuery(seriesOfQuery(programme)),
    channel?.isIncludedInUserOffers === true && queries.prefetchQuery(quotaQuery),
  ])
}

/** Loads what a list of recordings shows in the library. The series are only beside scheduled recordings. */
export async function loadRecordingList(
  queries: QueryClient,
  shows: 'completed' | 'scheduled',
): Promise<void> {
  await Promise.all([
    queries.prefetchQuery(recordingsQuery),
    queries.prefetchQuery(quotaQuery),
    shows === 'scheduled' && queries.prefetchQuery(seriesQuery),
  ])
}

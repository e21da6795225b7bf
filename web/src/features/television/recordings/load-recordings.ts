import type { Channel, Programme } from '@ondine/contract/entities'
import type { QueryClient } from '@tanstack/react-query'
import { sessionQuery } from '../../ground/session/session.ts'
import { quotaQuery, recordingsQuery, seriesOfQuery } from './recordings-query.ts'

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

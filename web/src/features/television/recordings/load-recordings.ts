import type { QueryClient } from '@tanstack/react-query'
import { sessionQuery } from '../../ground/session/session.ts'
import { recordingsQuery, seriesQuery } from './recordings-query.ts'

/** Loads the recordings of the active profile, for a page with record buttons. A visitor has none. */
export async function loadRecordings(queries: QueryClient): Promise<void> {
  const { profile } = await queries.ensureQueryData(sessionQuery)
  if (profile === null) return
  await Promise.all([queries.prefetchQuery(recordingsQuery), queries.prefetchQuery(seriesQuery)])
}

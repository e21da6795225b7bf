import type { QueryClient } from '@tanstack/react-query'
import { environment } from '../../api/environment.ts'
import { removeEnded } from '../../features/content/downloads/ended-downloads.ts'
import { OFFLINE_PAGE } from '../../features/content/downloads/offline-address.ts'
import { continueDownloads } from '../../features/content/downloads/run-downloads.ts'
import { activeProfile, setActiveProfile } from '../../features/content/downloads/store.ts'
import { reportFault } from '../../features/ground/errors/report-fault.ts'
import { sessionQuery } from '../../features/ground/session/session.ts'

/** Address of the worker. Another language is another worker, because the offline page that it keeps is in one language. */
const workerAddress = () => `/service-worker.js?language=${environment().language}`

/**
 * Prepares the site for the time without a connection: registers the service worker, remembers the active profile, and
 * goes on with downloads.
 */
export async function prepareForOffline(queryClient: QueryClient): Promise<void> {
  await navigator.serviceWorker.register(workerAddress())
  // The page that opens without a connection belongs to nobody, and does not say who was watching.
  if (location.pathname + location.search !== OFFLINE_PAGE) await followProfile(queryClient)
}

/** Remembers the active profile, also when it changes or when the viewer signs out, and goes on with its downloads. */
async function followProfile(queryClient: QueryClient): Promise<void> {
  const current = () => queryClient.getQueryData(sessionQuery.queryKey)?.profile?.id ?? null
  let known: number | null | undefined
  const remember = async () => {
    const id = current()
    if (id === known) return
    known = id
    if ((await activeProfile()) !== id) await setActiveProfile(id)
    if (id === null) return
    await removeEnded(id)
    await continueDownloads()
  }
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === sessionQuery.queryKey[0]) remember().catch(reportFault)
  })
  await remember()
}

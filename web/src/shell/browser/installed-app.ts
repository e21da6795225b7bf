import { session } from '@ondine/contract/accounts'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { isNative } from '../../api/native.ts'
import { removeEnded } from '../../features/content/downloads/ended-downloads.ts'
import { exchangeOwnPositions } from '../../features/content/downloads/exchange-positions.ts'
import { registerWorker } from '../../features/content/downloads/require-worker.ts'
import { continueDownloads } from '../../features/content/downloads/run-downloads.ts'
import { showDownloadsOnCards } from '../../features/content/downloads/show-on-cards.ts'
import { activeProfile, setActiveProfile } from '../../features/content/downloads/store.ts'
import { refreshBegun } from '../../features/content/favourites/begun.ts'
import { reportFault } from '../../features/ground/errors/report-fault.ts'
import { sessionQuery } from '../../features/ground/session/session.ts'
import { onSignOut } from '../../features/people/sign-in/sign-out.ts'
import { endNotifications, showsNotifications } from './shows-notifications.ts'

/**
 * Prepares the site or the native app for use without a connection. Stores the active profile on each change and
 * sign-out, and shows the progress of its downloads on cards. A sign-out also ends notifications. For a signed-in
 * viewer, registers the service worker, exchanges the positions in downloads, and continues downloads. Without a sign-in, there is no worker, because it
 * would fetch all files of the application. The native app already contains these files and needs no worker.
 *
 * @param hasDownloads whether the operator offers downloads. If not, only a browser with notifications gets the
 * worker. The profile is stored in any case, because the viewer can turn on notifications later
 */
export async function prepareForOffline(queryClient: QueryClient, hasDownloads: boolean): Promise<void> {
  const current = () => queryClient.getQueryData(sessionQuery.queryKey)?.profile?.id ?? null
  const exchange = async (id: number) => {
    if (await exchangeOwnPositions(id)) await refreshBegun(queryClient)
  }
  let known: number | null | undefined
  const remember = async () => {
    const id = current()
    if (id === known) return
    known = id
    if (id === null) await forgetAfterSignOut()
    else if ((await activeProfile()) !== id) await setActiveProfile(id)
    if (hasDownloads) showDownloadsOnCards(id)
    if (id === null || !(hasDownloads || (await showsNotifications()))) return
    if (!isNative()) await registerWorker()
    // Before the check of ended downloads, so that the position in a removed download is not lost.
    await exchange(id)
    await removeEnded(id)
    await continueDownloads()
  }
  onSignOut(async () => {
    // Stored at once, because the next page may open without a connection, and could not ask whether the viewer is
    // signed in.
    const before = await activeProfile()
    await setActiveProfile(null)
    return async () => await setActiveProfile(before)
  })
  // The page can stay open for days, and the native app always does.
  window.addEventListener('online', () => {
    const id = current()
    if (id !== null) exchange(id).catch(reportFault)
  })
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === sessionQuery.queryKey[0]) remember().catch(reportFault)
  })
  await remember()
}

/**
 * If the viewer is signed out, deletes the stored profile and ends notifications. The sign-out itself may already
 * have deleted the stored profile.
 */
async function forgetAfterSignOut(): Promise<void> {
  const shows = !isNative() && (await showsNotifications())
  const profile = await activeProfile()
  if ((profile === null && !shows) || !(await isSignedOut())) return
  if (profile !== null) await setActiveProfile(null)
  if (shows) await endNotifications()
}

/**
 * Asks the service whether the viewer is signed out. The page's own session data is not enough, because the offline
 * page was fetched without a sign-in. This page must not remove a signed-in viewer's access to downloads.
 */
async function isSignedOut(): Promise<boolean> {
  try {
    return (await call(session, {})).profile === null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return false
  }
}

import { session } from '@ondine/contract/accounts'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { isNative } from '../../api/native.ts'
import { removeEnded } from '../../features/content/downloads/ended-downloads.ts'
import { registerWorker } from '../../features/content/downloads/require-worker.ts'
import { continueDownloads } from '../../features/content/downloads/run-downloads.ts'
import { showDownloadsOnCards } from '../../features/content/downloads/show-on-cards.ts'
import { activeProfile, setActiveProfile } from '../../features/content/downloads/store.ts'
import { reportFault } from '../../features/ground/errors/report-fault.ts'
import { sessionQuery } from '../../features/ground/session/session.ts'
import { onSignOut } from '../../features/people/sign-in/sign-out.ts'
import { endNotifications, showsNotifications } from './shows-notifications.ts'

/**
 * Prepares the site or the native app for the time without a connection: remembers the active profile, also when it changes
 * or when the viewer signs out, and shows the progress of its downloads on cards. A sign-out ends notifications. For a
 * signed-in viewer, registers the service worker and goes on with downloads. The worker fetches all files of the
 * application, which visitors have no use for, and which the native app contains.
 *
 * @param hasDownloads whether downloads are offered. Otherwise only a browser that shows notifications gets the worker.
 * The profile is remembered anyway, because the viewer may switch notifications on
 */
export async function prepareForOffline(queryClient: QueryClient, hasDownloads: boolean): Promise<void> {
  const current = () => queryClient.getQueryData(sessionQuery.queryKey)?.profile?.id ?? null
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
    await removeEnded(id)
    await continueDownloads()
  }
  onSignOut(async () => {
    // The next page may open without a connection, so it could not ask who is signed in.
    const before = await activeProfile()
    await setActiveProfile(null)
    return async () => await setActiveProfile(before)
  })
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === sessionQuery.queryKey[0]) remember().catch(reportFault)
  })
  await remember()
}

/**
 * Forgets the profile and ends notifications once the viewer is signed out. The sign-out may have forgotten the profile
 * already.
 */
async function forgetAfterSignOut(): Promise<void> {
  const shows = !isNative() && (await showsNotifications())
  const profile = await activeProfile()
  if ((profile === null && !shows) || !(await isSignedOut())) return
  if (profile !== null) await setActiveProfile(null)
  if (shows) await endNotifications()
}

/**
 * Asks the service whether the viewer is signed out. The page does not know: the page that opens without a connection was
 * fetched as a visitor, and must not take the downloads from the viewer.
 */
async function isSignedOut(): Promise<boolean> {
  try {
    return (await call(session, {})).profile === null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return false
  }
}

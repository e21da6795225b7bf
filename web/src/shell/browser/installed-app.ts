import { type Session, session } from '@ondine/contract/accounts'
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
import { closeNotifications, endNotifications, showsNotifications } from './shows-notifications.ts'

/**
 * Interval at which an open page exchanges positions, completes removals and has rights checked, in ms. A minute longer
 * than the hour between two checks of a right, so that each turn checks it.
 */
const CATCH_UP_MS = 3_660_000

/**
 * Prepares the site or the native app for use without a connection. Stores the active profile on each change and
 * sign-out, and shows the progress of its downloads on cards. Closes notifications of another profile. A sign-out also
 * ends notifications. For a signed-in viewer, registers the service worker, exchanges the positions in downloads,
 * removes ended downloads, and continues downloads. Positions and ended downloads have their turn again when the
 * connection returns, and every hour. Without a sign-in, there is no worker, because it would fetch all files of the
 * application. The native app already contains these files and needs no worker.
 *
 * @param hasDownloads whether the operator offers downloads. If not, only a browser with notifications gets the
 * worker. The profile is stored in any case, because the viewer can turn on notifications later
 */
export async function prepareForOffline(queryClient: QueryClient, hasDownloads: boolean): Promise<void> {
  const current = () => queryClient.getQueryData(sessionQuery.queryKey)?.profile?.id ?? null
  const exchange = async (id: number) => {
    if (await exchangeOwnPositions(id)) await refreshBegun(queryClient)
  }
  // Before the check of ended downloads, so that the position in a removed download is not lost.
  const catchUp = async (id: number) => {
    await attempt(async () => await exchange(id))
    await attempt(async () => await removeEnded(id))
  }
  let known: number | null | undefined
  const remember = async () => {
    const id = current()
    if (id === known) return
    known = id
    if (id === null) await forgetAfterSignOut()
    else if ((await activeProfile()) !== id) await rememberProfile(id)
    if (hasDownloads) showDownloadsOnCards(id)
    if (id === null || !(hasDownloads || (await showsNotifications()))) return
    if (!isNative()) await attempt(async () => await registerWorker(queryClient))
    await catchUp(id)
    await continueDownloads()
  }
  onSignOut(async () => {
    // Stored at once, because the next page may open without a connection, and could not ask whether the viewer is
    // signed in.
    const before = await activeProfile()
    await rememberProfile(null)
    return async () => await setActiveProfile(before)
  })
  // The page can stay open for days, and the native app always does.
  const catchUpAgain = () => {
    const id = current()
    if (id !== null) void catchUp(id)
  }
  window.addEventListener('online', catchUpAgain)
  setInterval(catchUpAgain, CATCH_UP_MS)
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === sessionQuery.queryKey[0]) remember().catch(reportFault)
  })
  await remember()
}

/** Stores the active profile, and closes notifications that name titles of another profile. */
async function rememberProfile(profileId: number | null): Promise<void> {
  await setActiveProfile(profileId)
  if (!isNative()) await attempt(async () => await closeNotifications(profileId))
}

/** Takes one of several independent steps. A step that fails is reported, so that the next one is still taken. */
async function attempt(step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    reportFault(error)
  }
}

/**
 * If no profile is active, deletes the stored profile and closes shown notifications. If the viewer is signed out, also
 * ends notifications. The sign-out itself may already have deleted the stored profile. Without an active profile, a
 * viewer can still be signed in: another device may have deleted the profile. The notifications of the other profiles
 * then go on.
 */
async function forgetAfterSignOut(): Promise<void> {
  const shows = !isNative() && (await showsNotifications())
  const profile = await activeProfile()
  const viewer = profile !== null || shows ? await askSession() : undefined
  if (viewer === undefined || viewer.profile !== null) return
  if (profile !== null) await rememberProfile(null)
  if (shows && viewer.account === null) await endNotifications()
}

/**
 * Asks the service who is signed in. The page's own session data is not enough, because the offline page was fetched
 * without a sign-in. This page must not remove a signed-in viewer's access to downloads. Returns undefined if the
 * service does not answer.
 */
async function askSession(): Promise<Pick<Session, 'account' | 'profile'> | undefined> {
  try {
    return await call(session, {})
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return undefined
  }
}

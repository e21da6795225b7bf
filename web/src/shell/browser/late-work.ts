import type { AnyRouter } from '@tanstack/react-router'
import { deviceStore } from '../../api/device-store.ts'
import { environment } from '../../api/environment.ts'
import { isNative } from '../../api/native.ts'
import { downloadFiles } from '../../features/content/downloads/chosen-files.ts'
import { SHELL_PREFIX } from '../../features/content/downloads/offline-address.ts'
import { configurationOf } from '../../features/ground/configuration/configuration-query.ts'
import { reportFault } from '../../features/ground/errors/report-fault.ts'
import { sessionQuery } from '../../features/ground/session/session.ts'
import { subscribesAtService } from '../../features/rights/offers/shop.ts'
import type { recordingActions } from '../../features/television/recordings/recording-actions.ts'
import { showsNotifications } from './shows-notifications.ts'

export { walkByArrows } from '../spatial/arrows.ts'
export { prefetchVisible } from './prefetch-visible.ts'

/** Starts the code that only televisions need. Other browsers do not load it. */
export async function startTelevision(router: AnyRouter): Promise<void> {
  const television = await import('../television/television.ts')
  television.startTelevision(router)
}

/** Address of the web app manifest, which the service writes from the configuration. */
const MANIFEST = '/manifest.webmanifest'

/** Returns the actions that record a programme. Their code loads with the first menu of a programme. */
export async function actionsForProgramme(
  ...asked: Parameters<typeof recordingActions>
): ReturnType<typeof recordingActions> {
  const recordings = await import('../../features/television/recordings/recording-actions.ts')
  return await recordings.recordingActions(...asked)
}

/**
 * Opens the page of a link that opened the app, or completes the sign-on that led back into the app. An invalid link is
 * only logged (A4.3-02).
 */
export async function openAppLink(router: AnyRouter, link: string): Promise<void> {
  const { pathOfLink } = await import('../../features/viewing/accounts/deep-link.ts')
  try {
    await router.navigate({ href: pathOfLink(link, environment().origin) })
  } catch (error) {
    reportFault(error)
  }
}

/** Does the work of a start that no page waits for. */
export async function finishStart(router: AnyRouter): Promise<void> {
  await Promise.all([prepareForOffline(router), signInAtService(router), linkStorePurchases(router)])
}

/** Signs the viewer in at the third-party subscription service, if the operator has one (V4-02). */
async function signInAtService({ options }: AnyRouter): Promise<void> {
  const { queryClient } = options.context
  const isSignedIn = queryClient.getQueryData(sessionQuery.queryKey)?.account != null
  if (!isSignedIn || !subscribesAtService(configurationOf(queryClient))) return
  const { signInAtServiceOnce } = await import('../../features/rights/subscriptions/sign-in-at-service.ts')
  await signInAtServiceOnce(queryClient)
}

/** Links the purchases in the store of the device to the account that is signed in to the native app (A7.3-01). */
async function linkStorePurchases({ options }: AnyRouter): Promise<void> {
  const { queryClient } = options.context
  if (deviceStore() === undefined) return
  if (queryClient.getQueryData(sessionQuery.queryKey)?.profile == null) return
  const { followStore } = await import('../../features/rights/offers/buy-in-store.ts')
  await followStore(queryClient)
}

/**
 * Makes the site installable, and removes downloads that nobody will watch again. Where downloads are offered, or this
 * browser shows notifications, also prepares the site for use without a connection. The native app is installed already,
 * and contains its own pages.
 */
async function prepareForOffline(router: AnyRouter): Promise<void> {
  const native = isNative()
  if (!native) {
    const link = document.createElement('link')
    document.head.append(Object.assign(link, { rel: 'manifest', href: MANIFEST }))
    if (!('serviceWorker' in navigator)) return
  }
  const { queryClient } = router.options.context
  try {
    if (await downloadFiles().areThere()) {
      const orphans = await import('../../features/content/downloads/orphaned-downloads.ts')
      await orphans.removeOrphans(queryClient.getQueryData(sessionQuery.queryKey)?.account ?? null)
    }
    const { downloads, accounts } = configurationOf(queryClient)
    const hasDownloads = native ? downloads.downloadEnabled : downloads.downloadWebEnabled
    const hasPush = accounts.pushEnabled && !native
    const needsWorker = hasDownloads || (hasPush && (await showsNotifications()))
    if (!needsWorker && !native) await removeWorker()
    if (hasDownloads || hasPush) {
      const app = await import('./installed-app.ts')
      await app.prepareForOffline(queryClient, hasDownloads)
    }
  } catch (error) {
    reportFault(error)
  }
}

/**
 * Removes the service worker of a time when downloads or notifications were offered, and the files of the application
 * that it kept. The downloads stay until 30 days after their licences, because the operator may offer them again.
 */
async function removeWorker(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  if (registration === undefined) return
  await registration.unregister()
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(SHELL_PREFIX)).map((name) => caches.delete(name)))
}

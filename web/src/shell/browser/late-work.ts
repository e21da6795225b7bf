import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { deviceStore } from '../../api/device-store.ts'
import { environment } from '../../api/environment.ts'
import { isNative } from '../../api/native.ts'
import { downloadFiles } from '../../features/content/downloads/chosen-files.ts'
import { failureOf } from '../../features/content/downloads/failure.ts'
import { SHELL_PREFIX } from '../../features/content/downloads/offline-address.ts'
import {
  configurationOf,
  configurationQuery,
  fetchNewer,
} from '../../features/ground/configuration/configuration-query.ts'
import { reportFault } from '../../features/ground/errors/report-fault.ts'
import { isChildWatching, sessionQuery } from '../../features/ground/session/session.ts'
import { reportBegunOrder } from '../../features/rights/offers/begun-order.ts'
import { subscribesAtService } from '../../features/rights/offers/shop.ts'
import type { recordingActions } from '../../features/television/recordings/recording-actions.ts'
import { showsNotifications } from './shows-notifications.ts'

export { walkByArrows } from '../spatial/arrows.ts'
export { prefetchVisible } from './prefetch-visible.ts'

/** Starts the code for televisions. Other browsers do not load this code. */
export async function startTelevision(router: AnyRouter): Promise<void> {
  const television = await import('../television/television.ts')
  television.startTelevision(router)
}

/** Address of the web app manifest, which the service generates from the configuration. */
const MANIFEST = '/manifest.webmanifest'

/** Returns a programme's menu actions. Their code loads when the first menu of a programme opens. */
export async function actionsForProgramme(
  ...asked: Parameters<typeof recordingActions>
): ReturnType<typeof recordingActions> {
  const [{ startOverActions }, { recordingActions }] = await Promise.all([
    import('../../features/television/schedule/start-over-action.ts'),
    import('../../features/television/recordings/recording-actions.ts'),
  ])
  return (await Promise.all([startOverActions(...asked), recordingActions(...asked)])).flat()
}

/**
 * Handles a link that has opened the app. Opens the linked page, or completes a single sign-on that leads back to the
 * app. An invalid link is only logged (A4.3-02).
 */
export async function openAppLink(router: AnyRouter, link: string): Promise<void> {
  const { pathOfLink } = await import('../../features/viewing/accounts/deep-link.ts')
  try {
    await router.navigate({ href: pathOfLink(link, environment().origin) })
  } catch (error) {
    reportFault(error)
  }
}

/** Does the work at the start of a visit that no page waits for. */
export async function finishStart(router: AnyRouter): Promise<void> {
  await Promise.all([
    prepareForOffline(router),
    signInAtService(router),
    linkStorePurchases(router),
    reportEarlierPurchase(router),
  ])
}

/** Reports a purchase that was paid after its cart was closed (A4.8-07). A child's profile may not read orders. */
async function reportEarlierPurchase({ options }: AnyRouter): Promise<void> {
  const { queryClient } = options.context
  const isSignedIn = queryClient.getQueryData(sessionQuery.queryKey)?.account != null
  if (isSignedIn && !isChildWatching(queryClient)) await reportBegunOrder(queryClient)
}

/** Signs the viewer in to the third-party subscription service, if the operator uses such a service (V4-02). */
async function signInAtService({ options }: AnyRouter): Promise<void> {
  const { queryClient } = options.context
  const isSignedIn = queryClient.getQueryData(sessionQuery.queryKey)?.account != null
  if (!isSignedIn || !subscribesAtService(configurationOf(queryClient))) return
  const { signInAtServiceOnce } = await import('../../features/rights/subscriptions/sign-in-at-service.ts')
  await signInAtServiceOnce(queryClient)
}

/**
 * Links purchases from the device's app store to the profile that is signed in to the native app (A7.3-01). Begins
 * once there is a profile: now, or after a later sign-in.
 */
async function linkStorePurchases({ options }: AnyRouter): Promise<void> {
  const { queryClient } = options.context
  if (deviceStore() === undefined) return
  const hasProfile = () => queryClient.getQueryData(sessionQuery.queryKey)?.profile != null
  const follow = async () => {
    const { followStore } = await import('../../features/rights/offers/buy-in-store.ts')
    await followStore(queryClient)
  }
  if (hasProfile()) {
    await follow()
    return
  }
  const unsubscribe = queryClient.getQueryCache().subscribe(() => {
    if (!hasProfile()) return
    unsubscribe()
    follow().catch(reportFault)
  })
}

/**
 * Makes the site installable, and removes downloads that nobody can watch any more. If downloads are offered, or
 * this browser shows notifications, prepares the site for use without a connection. The native app needs no
 * installation, and contains its pages.
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
    if (!needsWorker && !native) await removeWorker(queryClient)
    if (hasDownloads || hasPush) {
      const app = await import('./installed-app.ts')
      await app.prepareForOffline(queryClient, hasDownloads)
    }
  } catch (error) {
    reportFault(error)
  }
}

/**
 * Removes a service worker that is not needed any more, because the operator no longer offers downloads or
 * notifications. Also removes the worker's cached files. Downloads stay until 30 days after the end of their
 * licences, because the operator can offer downloads again. Without a connection, the page may have an earlier
 * configuration, and needs the worker. So nothing is removed until the service confirms the configuration.
 */
async function removeWorker(queryClient: QueryClient): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  if (registration === undefined || !(await isConfirmed(queryClient))) return
  await registration.unregister()
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(SHELL_PREFIX)).map((name) => caches.delete(name)))
}

/** Asks the service whether the configuration of this page is current. Returns false without an answer. */
async function isConfirmed(queryClient: QueryClient): Promise<boolean> {
  try {
    return (await fetchNewer(queryClient.getQueryData(configurationQuery.queryKey))) === undefined
  } catch (error) {
    if (failureOf(error) !== 'later') throw error
    return false
  }
}

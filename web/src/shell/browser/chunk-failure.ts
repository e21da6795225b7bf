import type { AnyRouter } from '@tanstack/react-router'
import { tabStorage } from '../../features/ground/platform/device-storage.ts'
import { isFetchingAhead } from './prefetch.ts'

/**
 * Minimum time between two automatic reloads, in milliseconds. It prevents a loop of reloads while the service is
 * broken (V8, V9).
 */
const RELOAD_GUARD_MS = 60_000

const RELOADED_AT = 'ondine:reloaded-at'

/**
 * Returns whether to reload the page after a chunk has failed to load. Without a connection, a reload would only
 * remove the page.
 */
export function mayReload(now: number, reloadedAt: number | null, online: boolean): boolean {
  if (!online) return false
  return reloadedAt === null || now - reloadedAt >= RELOAD_GUARD_MS || now < reloadedAt
}

/**
 * Reloads the page when a chunk is missing, at most once in 60 s. A new version of the service has other file names,
 * so the server no longer has the chunks of an open page. After a second failure within 60 s, the error page is
 * shown. If a chunk is missing during a prefetch, the page reloads only at the next navigation. Returns a function
 * that ends the reloads. Never reloads in a browser that cannot store the time of the last reload, because it could
 * reload in a loop.
 */
export function reloadWhenPartsAreGone(router: AnyRouter): () => void {
  let isMissingAny = false
  const anew = (load: () => void): boolean => {
    if (!mayReload(Date.now(), lastReload(), navigator.onLine)) return false
    const now = String(Date.now())
    tabStorage.setItem(RELOADED_AT, now)
    if (tabStorage.getItem(RELOADED_AT) !== now) return false
    load()
    return true
  }
  const onFailure = (event: VitePreloadErrorEvent) => {
    if (isFetchingAhead() && !router.state.isLoading) {
      isMissingAny = true
      return
    }
    if (anew(() => location.reload())) event.preventDefault()
    // Prevents a reload by the router itself, which does not observe the limit of one reload in 60 s.
    else tabStorage.setItem(`tanstack_router_reload:${event.payload.message}`, '1')
  }
  addEventListener('vite:preloadError', onFailure)
  const stopFollowing = router.subscribe('onBeforeLoad', ({ pathChanged, toLocation }) => {
    if (isMissingAny && pathChanged) anew(() => location.assign(toLocation.publicHref))
  })
  return () => {
    removeEventListener('vite:preloadError', onFailure)
    stopFollowing()
  }
}

function lastReload(): number | null {
  const stored = tabStorage.getItem(RELOADED_AT)
  return stored === null || !Number.isFinite(Number(stored)) ? null : Number(stored)
}

import type { AnyRouter } from '@tanstack/react-router'
import { isFetchingAhead } from './prefetch.ts'

/** One reload in this time, in milliseconds: a service that is broken is not asked over and over (V8, V9). */
export const RELOAD_GUARD_MS = 60_000

const RELOADED_AT = 'ondine:reloaded-at'

/**
 * Whether a part of the code that could not be loaded may be mended by loading the page anew. Without a connection that
 * would only take the page away.
 */
export function mayReload(now: number, reloadedAt: number | null, online: boolean): boolean {
  if (!online) return false
  return reloadedAt === null || now - reloadedAt >= RELOAD_GUARD_MS || now < reloadedAt
}

/**
 * A newer version of the service has other file names: a page that was open meanwhile finds its parts gone, and is
 * loaded anew, once in 60 s. Otherwise the failure goes on to the error page. A part that was only fetched ahead is missed
 * by nobody yet: whoever goes on from here has the next page loaded anew. Returns how to end that.
 */
export function reloadWhenPartsAreGone(router: AnyRouter): () => void {
  let isMissingAny = false
  const anew = (load: () => void): boolean => {
    if (!mayReload(Date.now(), lastReload(), navigator.onLine)) return false
    sessionStorage.setItem(RELOADED_AT, String(Date.now()))
    load()
    return true
  }
  const onFailure = (event: VitePreloadErrorEvent) => {
    if (isFetchingAhead() && !router.state.isLoading) {
      isMissingAny = true
      return
    }
    if (anew(() => location.reload())) event.preventDefault()
    // The router would reload by itself, without looking at the time.
    else sessionStorage.setItem(`tanstack_router_reload:${event.payload.message}`, '1')
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
  const stored = sessionStorage.getItem(RELOADED_AT)
  return stored === null || !Number.isFinite(Number(stored)) ? null : Number(stored)
}

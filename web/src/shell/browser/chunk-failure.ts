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
 * loaded anew, once in 60 s. Otherwise the failure goes on to the error page. Returns how to end that.
 */
export function reloadWhenPartsAreGone(): () => void {
  const onFailure = (event: VitePreloadErrorEvent) => {
    if (mayReload(Date.now(), lastReload(), navigator.onLine)) {
      event.preventDefault()
      sessionStorage.setItem(RELOADED_AT, String(Date.now()))
      location.reload()
      return
    }
    // The router would reload by itself, without looking at the time.
    sessionStorage.setItem(`tanstack_router_reload:${event.payload.message}`, '1')
  }
  addEventListener('vite:preloadError', onFailure)
  return () => removeEventListener('vite:preloadError', onFailure)
}

function lastReload(): number | null {
  const stored = sessionStorage.getItem(RELOADED_AT)
  return stored === null || !Number.isFinite(Number(stored)) ? null : Number(stored)
}

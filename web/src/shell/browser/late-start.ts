/**
 * The `type` of the application's scripts. Browsers neither fetch nor run scripts of this type by themselves. The
 * first such script is the entry point of the application.
 */
export const LATE_SCRIPT = 'text/late'

/** Maximum time to wait for the first screen's picture after the page has loaded, in ms. */
const LONGEST_WAIT_MS = 1000

/**
 * Fetches and starts the application once the first screen is painted, including its large picture. Otherwise the
 * picture and the application would compete for a slow network and processor, and the page would appear seconds
 * later. The page is complete without the application: the server has rendered it, its links work, and early input
 * is replayed (`event-replay.ts`). A press starts the application at once. A background tab starts it at once too,
 * because a background tab is never painted.
 */
export const LATE_START_SCRIPT = `(() => {
  let begun = false
  const fetchEarly = (kind, href) => {
    const link = document.createElement('link')
    document.head.append(Object.assign(link, kind, { href }))
  }
  const begin = () => {
    const [entry, ...others] = document.querySelectorAll('script[type="${LATE_SCRIPT}"]')
    if (begun || !entry) return
    begun = true
    import(entry.src)
    for (const { src } of others) fetchEarly({ rel: 'modulepreload' }, src)
    const { words } = document.documentElement.dataset
    if (words) fetchEarly({ rel: 'preload', as: 'fetch', crossOrigin: 'anonymous' }, words)
    // Makes the browser load its language tables now, while it waits for the network. Otherwise the first
    // formatting would wait for the tables.
    setTimeout(() => Intl.DateTimeFormat(document.documentElement.lang))
  }
  const painted = () => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(begin)))
  for (const press of ['pointerdown', 'keydown']) addEventListener(press, begin, { capture: true, passive: true })
  addEventListener('DOMContentLoaded', () => {
    if (document.hidden) return begin()
    setTimeout(begin, ${LONGEST_WAIT_MS})
    const picture = document.querySelector('img[fetchpriority=high]')
    if (!picture || picture.complete) return painted()
    picture.addEventListener('load', painted)
    picture.addEventListener('error', painted)
  })
})()`

/** The kind of the scripts that make the application: of no kind that a browser fetches or runs by itself. The first is the entry. */
export const LATE_SCRIPT = 'text/late'

/** Longest time that the first screen's picture is waited for, in ms, once the page is there. */
const LONGEST_WAIT_MS = 1000

/**
 * Fetches and begins the application once the first screen is painted, its large picture included: they would otherwise want
 * the same slow network and the same slow processor at the same time, and the page would be seen seconds later. It is all
 * there without: rendered on the server, its links lead on, and what is pressed meanwhile is pressed again
 * (`early-press.ts`). Whoever presses does not wait. A page that nobody sees, in a tab behind, is never painted.
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
    // A browser reads its tables of languages when they are first wanted: now, while it waits for the network.
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

/** So many places are remembered; the oldest go first. */
const LARGEST_MEMORY = 300

/** How far each rail was scrolled, in px, by the entry of the history it was seen at. */
const places = new Map<string, number>()

/**
 * Brings a rail's view back to where it was when this entry of the browser's history was left, and remembers where it
 * goes from now on. The router does so for the page alone.
 *
 * @param name of the rail, once on a page
 */
export function rememberPlace(view: HTMLElement, name: string): void {
  const key = `${entryOfHistory()} ${name}`
  const place = places.get(key)
  if (place !== undefined) view.scrollLeft = place
  view.addEventListener(
    'scroll',
    () => {
      places.delete(key)
      places.set(key, view.scrollLeft)
      const [oldest] = places.keys()
      if (places.size > LARGEST_MEMORY && oldest !== undefined) places.delete(oldest)
    },
    { passive: true },
  )
}

/** Where the router writes the name of an entry of the history. */
const NAME = '__TSR_key'

/** The router names each entry; without a name there is nothing to come back to. */
function entryOfHistory(): string {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && NAME in state ? String(state[NAME]) : ''
}

/** Maximum number of remembered positions. The oldest are dropped first. */
const LARGEST_MEMORY = 300

/** The scroll position of each rail in px, by history entry and rail name. */
const places = new Map<string, number>()

/**
 * Restores a rail's scroll position for this history entry, and remembers it from now on. The router restores
 * only the page's own position.
 *
 * @param name name of the rail, unique on a page
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

/** The key of the history state in which the router stores an entry's name. */
const NAME = '__TSR_key'

/**
 * Returns the router's name of the current history entry. An entry without a name gets the empty string, so all such
 * entries share their positions.
 */
function entryOfHistory(): string {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && NAME in state ? String(state[NAME]) : ''
}

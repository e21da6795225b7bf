/** Maximum number of stored scroll positions. The oldest are dropped first. */
const LARGEST_MEMORY = 300

/** The scroll position of each rail in px, by history entry and rail name. */
const places = new Map<string, number>()

/**
 * Restores a rail's scroll position for the current history entry, and stores further changes. The router restores
 * only the scroll position of the page.
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

/** The key of the history state under which the router stores an entry's id. */
const NAME = '__TSR_key'

/**
 * Returns the router's id of the current history entry. Without an id, returns the empty string, so that all
 * entries without an id share their positions.
 */
function entryOfHistory(): string {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && NAME in state ? String(state[NAME]) : ''
}

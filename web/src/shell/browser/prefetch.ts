import { LAYOUT } from '@ondine/contract/constants'
import type { AnyRouter } from '@tanstack/react-router'
import { environment } from '../../api/environment.ts'
import { withoutPrefix } from '../../api/language-prefix.ts'

/** What the browser says of its connection, where it says it. */
export interface Connection {
  effectiveType?: string
  saveData?: boolean
}

/** Whether code may be fetched before it is needed: not on 2g, and not when someone saves data (V9). */
export function mayPrefetch(connection: Connection | undefined): boolean {
  return connection?.saveData !== true && !/(?:^|-)2g$/.test(connection?.effectiveType ?? '')
}

/** What this browser says of its connection. */
export function connection(): Connection | undefined {
  return Reflect.get(navigator, 'connection')
}

/** How many screens' code is being fetched ahead. */
let ahead = 0

/** Fetches what nobody waits for yet. */
export async function fetchingAhead<T>(fetched: Promise<T>): Promise<T> {
  ahead += 1
  try {
    return await fetched
  } finally {
    ahead -= 1
  }
}

/** Whether code is being fetched that nobody waits for. */
export function isFetchingAhead(): boolean {
  return ahead > 0
}

/**
 * After each page, once the browser has nothing better to do and 2 s later at the latest, fetches the code of the screens
 * that the visible links lead to. Returns how to end that.
 */
export function prefetchWhenIdle(router: AnyRouter): () => void {
  // Safari has no notion of being idle.
  const whenIdle =
    globalThis.requestIdleCallback ?? ((act: () => void) => setTimeout(act, LAYOUT.prefetchIdleMs))
  return router.subscribe('onRendered', () => {
    if (mayPrefetch(connection())) whenIdle(() => fetchVisible(router), { timeout: LAYOUT.prefetchIdleMs })
  })
}

function fetchVisible(router: AnyRouter): void {
  const { prefix } = environment()
  const paths = [...document.links]
    .filter((link) => link.origin === location.origin && isVisible(link))
    .map((link) => withoutPrefix(link.pathname, prefix))
  const routes = paths.flatMap((path) => router.getMatchedRoutes(path)[0])
  for (const route of new Set(routes)) {
    // What cannot be fetched now is asked for again when it is needed, and its failure is shown then.
    fetchingAhead(Promise.resolve(router.loadRouteChunk(route))).catch(() => undefined)
  }
}

function isVisible(link: Element): boolean {
  const { top, bottom, left, right } = link.getBoundingClientRect()
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth && bottom > top
}

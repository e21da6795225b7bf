import { LAYOUT } from '@ondine/contract/constants'
import type { AnyRouter } from '@tanstack/react-router'
import { environment } from '../../api/environment.ts'
import { withoutPrefix } from '../../api/language-prefix.ts'

/** The browser's information about its connection, if the browser provides it. */
export interface Connection {
  effectiveType?: string
  saveData?: boolean
}

/** Returns whether prefetching is allowed: not on 2g, and not with data saver (V9). */
export function mayPrefetch(connection: Connection | undefined): boolean {
  return connection?.saveData !== true && !/(?:^|-)2g$/.test(connection?.effectiveType ?? '')
}

/** Returns this browser's information about its connection. */
export function connection(): Connection | undefined {
  return Reflect.get(navigator, 'connection')
}

/** Number of screens whose code is being prefetched. */
let ahead = 0

/** Marks a request as a prefetch until it ends. */
export async function fetchingAhead<T>(fetched: Promise<T>): Promise<T> {
  ahead += 1
  try {
    return await fetched
  } finally {
    ahead -= 1
  }
}

/** Returns whether a prefetch is under way. */
export function isFetchingAhead(): boolean {
  return ahead > 0
}

/**
 * Prefetches, after each page, the code of the screens behind its visible links, when the browser is idle and
 * at the latest after 2 s. Returns a function that ends the prefetching.
 */
export function prefetchWhenIdle(router: AnyRouter): () => void {
  // Safari has no `requestIdleCallback`.
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
    // If a prefetch fails, the code is requested again when it is needed, and an error is shown only then.
    fetchingAhead(Promise.resolve(router.loadRouteChunk(route))).catch(() => undefined)
  }
}

function isVisible(link: Element): boolean {
  const { top, bottom, left, right } = link.getBoundingClientRect()
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth && bottom > top
}

import { LAYOUT } from '@ondine/contract/constants'
import type { AnyRouter } from '@tanstack/react-router'

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
 * Calls `prefetch` after each page, when the browser is idle and at the latest after 2 s. Returns a function that ends
 * the prefetching.
 */
export function prefetchWhenIdle(router: AnyRouter, prefetch: () => void): () => void {
  return router.subscribe('onRendered', () => {
    if (mayPrefetch(connection())) whenIdle(prefetch)
  })
}

/** Calls `act` when the browser is idle, and at the latest after 2 s. */
export function whenIdle(act: () => void): void {
  // Safari has no `requestIdleCallback`.
  const request =
    globalThis.requestIdleCallback ?? ((late: () => void) => setTimeout(late, LAYOUT.prefetchIdleMs))
  request(act, { timeout: LAYOUT.prefetchIdleMs })
}

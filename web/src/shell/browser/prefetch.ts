import { LAYOUT } from '@ondine/contract/constants'
import type { AnyRouter } from '@tanstack/react-router'

/** Information about the connection, which only some browsers provide. */
export interface Connection {
  effectiveType?: string
  saveData?: boolean
}

/** Returns whether prefetching is allowed. It is not allowed on 2g or with data saver (V9). */
export function mayPrefetch(connection: Connection | undefined): boolean {
  return connection?.saveData !== true && !/(?:^|-)2g$/.test(connection?.effectiveType ?? '')
}

/** Returns this browser's information about its connection. */
export function connection(): Connection | undefined {
  return Reflect.get(navigator, 'connection')
}

/** Number of prefetches in progress. */
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

/** Returns whether a prefetch is in progress. */
export function isFetchingAhead(): boolean {
  return ahead > 0
}

/**
 * Calls `prefetch` after each page load, when the browser is idle and after 2 s at the latest. Returns a function
 * that stops the calls.
 */
export function prefetchWhenIdle(router: AnyRouter, prefetch: () => void): () => void {
  return router.subscribe('onRendered', () => {
    if (mayPrefetch(connection())) whenIdle(prefetch)
  })
}

/** Calls `act` when the browser is idle, and after 2 s at the latest. */
export function whenIdle(act: () => void): void {
  // Safari has no `requestIdleCallback`.
  const request =
    globalThis.requestIdleCallback ?? ((late: () => void) => setTimeout(late, LAYOUT.prefetchIdleMs))
  request(act, { timeout: LAYOUT.prefetchIdleMs })
}

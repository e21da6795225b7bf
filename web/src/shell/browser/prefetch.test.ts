import { createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router'
import { expect, test, vi } from 'vitest'
import { type Connection, mayPrefetch, prefetchWhenIdle } from './prefetch.ts'

test.each<[Connection | undefined, boolean]>([
  [undefined, true],
  [{}, true],
  [{ effectiveType: '4g', saveData: false }, true],
  [{ effectiveType: '3g' }, true],
  [{ effectiveType: '2g' }, false],
  [{ effectiveType: 'slow-2g' }, false],
  [{ effectiveType: '4g', saveData: true }, false],
])('V9-13 with the connection %j prefetching is allowed: %s', (connection, may) => {
  expect(mayPrefetch(connection)).toBe(may)
})

test('V9-13 prefetches when the browser is idle, and at the latest 2000 ms after a page', () => {
  const whenIdle = vi.fn()
  vi.stubGlobal('requestIdleCallback', whenIdle)
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
  const prefetch = vi.fn()
  const end = prefetchWhenIdle(router, prefetch)
  const shown = () => {
    const location = router.latestLocation
    router.emit({
      type: 'onRendered',
      toLocation: location,
      pathChanged: true,
      hrefChanged: true,
      hashChanged: false,
    })
  }
  shown()
  expect(whenIdle.mock.calls).toEqual([[prefetch, { timeout: 2000 }]])
  end()
  shown()
  expect(whenIdle).toHaveBeenCalledTimes(1)
  vi.unstubAllGlobals()
})

import type { AnyRouter } from '@tanstack/react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { mayReload, reloadWhenPartsAreGone } from './chunk-failure.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['never before', 1000, null, true],
  ['a moment ago', 61_000, 60_000, false],
  ['59.999 s ago', 60_000 + 59_999, 60_000, false],
  ['60 s ago', 120_000, 60_000, true],
  ['in the future, by a clock that was set back', 1000, 60_000, true],
])('V8-05 a missing chunk reloads the page when the last reload was %s', (_what, now, last, may) => {
  expect(mayReload(now, last, true)).toBe(may)
  expect(mayReload(now, last, false), 'without a connection').toBe(false)
})

test.each([
  ['reloads the page once', new Map<string, string>(), 1],
  ['does not reload the page in a browser that blocks the data of sites', undefined, 0],
])('V8-05 a missing chunk %s', (_what, stored, reloads) => {
  const reload = vi.fn()
  const listeners: ((event: Event) => void)[] = []
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('addEventListener', (_name: string, listener: (event: Event) => void) =>
    listeners.push(listener),
  )
  const storage = {
    getItem: (key: string) => stored?.get(key) ?? null,
    setItem: (key: string, value: string) => stored?.set(key, value),
  }
  Object.defineProperty(globalThis, 'sessionStorage', {
    configurable: true,
    get: () => {
      if (stored === undefined) throw new DOMException('Access is denied.', 'SecurityError')
      return storage
    },
  })
  reloadWhenPartsAreGone({ subscribe: () => () => {} } as unknown as AnyRouter)
  for (let failures = 0; failures < 2; failures++) {
    const event = Object.assign(new Event('vite:preloadError'), { payload: new Error('A chunk is missing') })
    for (const listener of listeners) listener(event)
  }
  expect(reload).toHaveBeenCalledTimes(reloads)
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { failureOf } from './failure.ts'
import { NoWorkerError, requireWorker } from './require-worker.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('V2.1-16 a download waits until the service worker is active', async () => {
  const { promise, resolve } = Promise.withResolvers<object>()
  vi.stubGlobal('navigator', { serviceWorker: { ready: promise } })
  const waiting = requireWorker()
  await vi.advanceTimersByTimeAsync(29_000)
  resolve({})
  await expect(waiting).resolves.toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})

test('V2.1-16 A8.3-14 a download fails where no service worker becomes active', async () => {
  vi.stubGlobal('navigator', { serviceWorker: { ready: new Promise(() => undefined) } })
  const refused = expect(requireWorker()).rejects.toThrow(NoWorkerError)
  await vi.advanceTimersByTimeAsync(30_000)
  await refused
  expect(failureOf(new NoWorkerError())).toBe('unknown')
})

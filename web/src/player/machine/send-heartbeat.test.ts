import { afterEach, expect, test, vi } from 'vitest'
import { sendHeartbeat } from './send-heartbeat.ts'

vi.mock('../../api/environment.ts', () => ({ environment: () => ({ language: 'fra', identityKey: 'key' }) }))

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['an answer with success', 1, async () => Response.json({ status: true, result: {} })],
  ['a fault of the service', 0, async () => new Response('', { status: 503 })],
  ['no answer', 0, async () => Promise.reject(new TypeError('Failed to fetch'))],
] as const)('V4-29 %s acknowledges a heartbeat %i times', async (_, times, fetch) => {
  const asked = vi.fn(fetch)
  vi.stubGlobal('fetch', asked)
  const onAcknowledged = vi.fn()
  await sendHeartbeat({ session: 'abc', event: 'pause', position: 600, onAcknowledged })
  expect(onAcknowledged).toHaveBeenCalledTimes(times)
  expect(asked).toHaveBeenCalledOnce()
})

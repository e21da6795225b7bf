import { hierarchy } from '@ondine/contract/catalogue'
import { ERRORS } from '@ondine/contract/errors'
import { heartbeat } from '@ondine/contract/playback'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestService, type TestService } from './service.ts'

const KEY = { 'x-identity-key': 'ondine' }
/** Longer than the period over which the event loop's delay is measured. */
const LONG_ENOUGH = { timeout: 30_000, interval: 20 }

let service: TestService

beforeAll(async () => {
  service = await startTestService('embedded', { OVERLOAD_DELAY_MS: 60 })
})
afterAll(async () => await service.remove())

it('an overloaded service refuses new calls at once, serves current viewers, and recovers by itself', async () => {
  await vi.waitFor(async () => {
    hold(200)
    const { status, error } = await service.call(hierarchy, {}, KEY)
    expect(status).toBe(503)
    expect(error.code).toBe(ERRORS.temporarilyUnavailable.code)
    expect(error.details).toMatchObject({ retryAfterSeconds: 2 })
  }, LONG_ENOUGH)

  const refused = await service.app.inject({ method: 'POST', url: '/proxy/hierarchy', headers: KEY })
  expect(refused.headers['retry-after']).toBe('2')
  const watching = await service.call(heartbeat, { session: 'forged', event: 'progress' }, KEY)
  expect(watching.status).toBe(401)
  for (const path of ['/healthz', '/time']) {
    expect((await service.app.inject(path)).statusCode, path).toBe(200)
  }

  await vi.waitFor(async () => {
    expect((await service.call(hierarchy, {}, KEY)).status).toBe(200)
  }, LONG_ENOUGH)
})

/** Blocks the event loop, as overload does. */
function hold(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

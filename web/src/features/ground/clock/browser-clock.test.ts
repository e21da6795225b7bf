import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const NOON = Date.UTC(2026, 0, 15, 12)
const DAY = 24 * 60 * 60_000

// The page of a native app has no navigation timing, as this process.
vi.mock('../../../api/native.ts', () => ({ isNative: () => true }))

beforeEach(() => {
  vi.resetModules()
  // A request then takes no time. A slow one would be repeated, because it shows the time less accurately.
  vi.useFakeTimers()
  vi.stubGlobal('document', { hidden: false })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Opens a page whose data is three days old. */
async function oldPage() {
  const page = await import('./browser-clock.ts')
  page.browserClock(NOON - 3 * DAY)
  return page
}

test('spec 39 the confirmed time of an old page is the service’s', async () => {
  const answer = vi.fn(async () => new Response(new Date(NOON).toISOString()))
  vi.stubGlobal('fetch', answer)
  const { serviceNow, confirmedNow } = await oldPage()
  expect(serviceNow()).toBeLessThan(NOON - 2 * DAY)
  expect(await confirmedNow()).toBeGreaterThanOrEqual(NOON)
  await confirmedNow()
  expect(answer).toHaveBeenCalledTimes(1)
})

test('spec 39 the time of an old page is not confirmed while the service does not answer', async () => {
  vi.stubGlobal('fetch', async () => await Promise.reject(new TypeError('Failed to fetch')))
  const { confirmedNow } = await oldPage()
  expect(await confirmedNow()).toBeUndefined()
})

import { expect, test } from 'vitest'
import { nowQuery, windowStart } from './queries.ts'

const HOUR = 3600
const NOW = Date.parse('2026-11-21T19:00:00Z') / 1000

test.each([0, 1, 899, 900, 1799, 3599])(
  'V7-38 %i s after a full hour, the request for live events covers the hour from now on',
  (seconds) => {
    const now = NOW + seconds
    const [, { start = 0, offset, hours = 0, channelIds }] = nowQuery(windowStart(now), [3, 7]).queryKey
    expect(start).toBeLessThanOrEqual(now)
    expect(start + hours * HOUR).toBeGreaterThanOrEqual(now + HOUR)
    // The guide's window stays in use for a quarter of an hour after `now`, and must not extend much further than
    // that requires.
    expect(start + hours * HOUR).toBeLessThanOrEqual(now + 2 * HOUR)
    expect([offset, channelIds]).toEqual([0, [3, 7]])
  },
)

test('V7-38 requests of one quarter of an hour are the same, so that viewers share the answer', () => {
  const keyAt = (seconds: number) => nowQuery(windowStart(NOW + seconds), [3]).queryKey
  expect(keyAt(899)).toEqual(keyAt(0))
  expect(keyAt(900)).not.toEqual(keyAt(0))
})

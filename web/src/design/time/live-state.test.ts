import { expect, test } from 'vitest'
import { elapsedShare, liveState } from './live-state.ts'

const PROGRAMME = { startutc: 1000, endutc: 2000 }

test.each([
  [999, 'starts'],
  [1000, 'live'],
  [1999, 'live'],
  [2000, 'done'],
] as const)('V3-25 V3-28 the live state at %d', (now, state) => {
  expect(liveState(PROGRAMME, now)).toBe(state)
})

test.each([
  [500, 0],
  [1000, 0],
  [1250, 0.25],
  [2000, 1],
  [9000, 1],
])('V3-25 progress at %d is capped', (now, progress) => {
  expect(elapsedShare(PROGRAMME, now)).toBe(progress)
})

test('an interval without length has no progress', () => {
  expect(elapsedShare({ startutc: 5, endutc: 5 }, 5)).toBe(0)
})

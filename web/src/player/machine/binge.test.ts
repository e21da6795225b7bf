import { expect, test } from 'vitest'
import { NO_SEGMENTS } from '../content/segments.ts'
import { type BingeSituation, bingeCountdown, isBingeDue } from './binge.ts'

const near: BingeSituation = {
  position: 90,
  durationSeconds: 100,
  segments: NO_SEGMENTS,
  hasNext: true,
  dismissed: false,
  ad: false,
  timingSeconds: 15,
}

test('V4-37 shows when less than the configured time is left', () => {
  expect(isBingeDue(near)).toBe(true)
  expect(isBingeDue({ ...near, position: 85 })).toBe(false)
  expect(isBingeDue({ ...near, position: 85.1 })).toBe(true)
})

test('V4-37 shows while the credits run, however long they are', () => {
  const segments = { ...NO_SEGMENTS, credits: [{ label: '', start: 60, end: 100 }] }
  expect(isBingeDue({ ...near, position: 60, segments })).toBe(true)
  expect(isBingeDue({ ...near, position: 59.9, segments })).toBe(false)
})

test('V4-37 does not show without a next asset, after a dismissal, in an advertisement, or before the length is known', () => {
  expect(isBingeDue({ ...near, hasNext: false })).toBe(false)
  expect(isBingeDue({ ...near, dismissed: true })).toBe(false)
  expect(isBingeDue({ ...near, ad: true })).toBe(false)
  expect(isBingeDue({ ...near, durationSeconds: 0 })).toBe(false)
})

test('V4-38 the countdown starts at the configured time, or at the remaining time of the asset', () => {
  expect(bingeCountdown({ ...near, position: 40 })).toBe(15)
  expect(bingeCountdown({ ...near, position: 93.4 })).toBe(7)
  expect(bingeCountdown({ ...near, position: 100.2 })).toBe(1)
})

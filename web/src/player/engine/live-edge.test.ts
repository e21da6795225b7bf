import { expect, test } from 'vitest'
import { epochOf, isBehindLive, isOver, seekable, snapLivePercent } from './live-edge.ts'

test('V4-43 back to live appears 2 s or more behind the edge', () => {
  expect(isBehindLive(98.01, 100)).toBe(false)
  expect(isBehindLive(98, 100)).toBe(true)
  expect(isBehindLive(101, 100)).toBe(false)
})

test('V4-43 gaps of up to 2 s at the ends of the window are tolerated', () => {
  const range = { start: 10, end: 20 }
  expect(seekable(15, range)).toBe(15)
  expect(seekable(8, range)).toBe(10)
  expect(seekable(22, range)).toBe(20)
  expect(seekable(7.9, range)).toBeUndefined()
  expect(seekable(22.1, range)).toBeUndefined()
})

test('V4-45 the slider of shifted live playback snaps to 100 from 98 percent', () => {
  expect(snapLivePercent(97.9)).toBe(97.9)
  expect(snapLivePercent(98)).toBe(100)
  expect(snapLivePercent(99.5)).toBe(100)
})

test('V4-44 a live event is over after its end; other content never is', () => {
  expect(isOver(1000, 1000)).toBe(false)
  expect(isOver(1000, 1000.2)).toBe(true)
  expect(isOver(null, 9e9)).toBe(false)
})

test('V7-37 a live stream has a wall clock if its live edge is a time of the present', () => {
  const now = Date.UTC(2026, 0, 15) / 1000
  // A channel of Ondine, and a relay that names its dates.
  expect(epochOf(new Date(0), now)).toBe(0)
  expect(epochOf(new Date((now - 120) * 1000), 100)).toBe(now - 120)
  // A relay without dates, and native HLS without dates.
  expect(epochOf(new Date(0), 100)).toBeNull()
  expect(epochOf(new Date(0), 1e6)).toBeNull()
  expect(epochOf(null, 100)).toBeNull()
})

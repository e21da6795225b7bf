import { expect, test } from 'vitest'
import { liveState, programmeProgress, startOfDay } from './programme-time.ts'

const PROGRAMME = { startutc: 1000, endutc: 2000 }

test.each([
  [999, 'starts'],
  [1000, 'live'],
  [1999, 'live'],
  [2000, 'done'],
] as const)('V3-28 the live state at %d', (now, state) => {
  expect(liveState(PROGRAMME, now)).toBe(state)
})

test.each([
  [500, 0],
  [1000, 0],
  [1250, 0.25],
  [2000, 1],
  [9000, 1],
])('V3-25 progress at %d is capped', (now, progress) => {
  expect(programmeProgress(PROGRAMME, now)).toBe(progress)
})

test('a programme without length has no progress', () => {
  expect(programmeProgress({ startutc: 5, endutc: 5 }, 5)).toBe(0)
})

test.each([
  ['an ordinary day', 'Europe/Paris', Date.UTC(2026, 10, 20, 18), Date.UTC(2026, 10, 19, 23)],
  ['exactly midnight', 'Europe/Paris', Date.UTC(2026, 10, 19, 23), Date.UTC(2026, 10, 19, 23)],
  ['the clocks go back', 'Europe/Paris', Date.UTC(2026, 9, 25, 18), Date.UTC(2026, 9, 24, 22)],
  ['the clocks go forward', 'Europe/Paris', Date.UTC(2026, 2, 29, 18), Date.UTC(2026, 2, 28, 23)],
  ['half an hour off', 'Asia/Kolkata', Date.UTC(2026, 10, 20, 18, 29), Date.UTC(2026, 10, 19, 18, 30)],
  [
    'the other side of the date line',
    'Pacific/Auckland',
    Date.UTC(2026, 10, 20, 10, 59),
    Date.UTC(2026, 10, 19, 11),
  ],
])('the start of the day: %s', (_name, timeZone, now, midnight) => {
  expect(startOfDay(now / 1000, timeZone)).toBe(midnight / 1000)
})

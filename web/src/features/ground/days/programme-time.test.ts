import { expect, test } from 'vitest'
import { startOfDay } from './programme-time.ts'

test.each([
  ['an ordinary day', 'Europe/Paris', Date.UTC(2026, 10, 20, 18), Date.UTC(2026, 10, 19, 23)],
  ['exactly midnight', 'Europe/Paris', Date.UTC(2026, 10, 19, 23), Date.UTC(2026, 10, 19, 23)],
  ['the clocks go back', 'Europe/Paris', Date.UTC(2026, 9, 25, 18), Date.UTC(2026, 9, 24, 22)],
  ['the clocks go forward', 'Europe/Paris', Date.UTC(2026, 2, 29, 18), Date.UTC(2026, 2, 28, 23)],
  ['half an hour off', 'Asia/Kolkata', Date.UTC(2026, 10, 20, 18, 29), Date.UTC(2026, 10, 19, 18, 30)],
  ['midnight comes twice', 'America/Havana', Date.UTC(2026, 10, 1, 18), Date.UTC(2026, 10, 1, 4)],
  ['the second of two midnights', 'America/Havana', Date.UTC(2026, 10, 1, 5), Date.UTC(2026, 10, 1, 4)],
  ['midnight does not come', 'Africa/Cairo', Date.UTC(2026, 3, 24, 12), Date.UTC(2026, 3, 23, 22)],
  [
    'the other side of the date line',
    'Pacific/Auckland',
    Date.UTC(2026, 10, 20, 10, 59),
    Date.UTC(2026, 10, 19, 11),
  ],
])('the start of the day: %s', (_name, timeZone, now, midnight) => {
  expect(startOfDay(now / 1000, timeZone)).toBe(midnight / 1000)
})

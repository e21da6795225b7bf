import { expect, test } from 'vitest'
import { dayAt } from '../../ground/days/local-day.ts'
import { guideWindow, hoursOf } from './queries.ts'

const MIDNIGHT = Date.parse('2026-11-21T00:00:00+01:00') / 1000

test('V7-36 requests a guide by midnight, hours and channels', () => {
  expect(guideWindow({ midnight: MIDNIGHT, startHour: 0, endHour: 24, channelIds: [3, 7] })).toEqual({
    start: MIDNIGHT,
    offset: 0,
    hours: 24,
    channelIds: [3, 7],
  })
  expect(guideWindow({ midnight: MIDNIGHT, startHour: 20, endHour: 23 })).toEqual({
    start: MIDNIGHT + 20 * 3600,
    offset: 0,
    hours: 3,
  })
})

test.each([
  ['2026-11-21', 24],
  ['2026-03-29', 23],
  ['2026-10-25', 25],
])('requests a whole day on %s: %i hours', (date, hours) => {
  expect(hoursOf(dayAt(Date.parse(`${date}T12:00:00Z`) / 1000, 'Europe/Paris'))).toBe(hours)
})

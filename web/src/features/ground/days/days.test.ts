import { expect, test } from 'vitest'
import { dayOf, guideDays, isCurrent, momentOf } from './days.ts'
import { dayAt, localParts } from './local-day.ts'

const PARIS = 'Europe/Paris'
const at = (text: string) => Date.parse(text) / 1000
const HOUR = 3600

test.each([
  ['an ordinary day', '2026-11-21T12:00:00+01:00', 24],
  ['the day on which clocks go forward', '2026-03-29T12:00:00+02:00', 23],
  ['the day on which clocks go back', '2026-10-25T12:00:00+01:00', 25],
  ['the first second of a day', '2026-10-25T00:00:00+02:00', 25],
  ['the last second of a day', '2026-03-29T23:59:59+02:00', 23],
])('%s has its own length', (_what, moment, hours) => {
  const day = dayAt(at(moment), PARIS)
  expect((day.end - day.start) / HOUR).toBe(hours)
  expect(day.date).toBe(moment.slice(0, 10))
})

test('V9-04 the guide has three days back and seven ahead, without gaps over a change of the clocks', () => {
  const { days, today } = guideDays(at('2026-10-24T22:00:00+02:00'), PARIS, { past: 3, future: 7 })
  expect(days.map(({ date }) => date)).toEqual([
    '2026-10-21',
    '2026-10-22',
    '2026-10-23',
    '2026-10-24',
    '2026-10-25',
    '2026-10-26',
    '2026-10-27',
    '2026-10-28',
    '2026-10-29',
    '2026-10-30',
    '2026-10-31',
  ])
  expect(today.date).toBe('2026-10-24')
  for (const [index, day] of days.slice(1).entries()) expect(day.start).toBe(days[index]?.end)
})

test('a guide is current until midnight, and only in its own time zone', () => {
  const guide = guideDays(at('2026-11-21T23:00:00+01:00'), PARIS, { past: 0, future: 1 })
  expect(isCurrent(guide, at('2026-11-21T23:59:59+01:00'), PARIS)).toBe(true)
  expect(isCurrent(guide, at('2026-11-22T00:00:00+01:00'), PARIS)).toBe(false)
  expect(isCurrent(guide, at('2026-11-20T23:59:59+01:00'), PARIS)).toBe(false)
  expect(isCurrent(guide, at('2026-11-21T23:00:00+01:00'), 'UTC')).toBe(false)
})

test.each([
  ['2026-11-21', '20:30', '2026-11-21T20:30:00+01:00'],
  ['2026-11-21', '00:00', '2026-11-21T00:00:00+01:00'],
  // Clocks go forward at two.
  ['2026-03-29', '01:30', '2026-03-29T01:30:00+01:00'],
  ['2026-03-29', '20:30', '2026-03-29T20:30:00+02:00'],
  ['2026-03-29', '22:59', '2026-03-29T22:59:00+02:00'],
  ['2026-03-29', '23:00', '2026-03-29T23:00:00+02:00'],
  ['2026-03-29', '23:59', '2026-03-29T23:59:00+02:00'],
  // Clocks go back at three.
  ['2026-10-25', '00:00', '2026-10-25T00:00:00+02:00'],
  ['2026-10-25', '01:00', '2026-10-25T01:00:00+02:00'],
  ['2026-10-25', '20:30', '2026-10-25T20:30:00+01:00'],
  ['2026-10-25', '23:59', '2026-10-25T23:59:00+01:00'],
])('on %s clocks show %s at %s', (date, time, moment) => {
  const day = dayAt(at(`${date}T12:00:00Z`), PARIS)
  expect(momentOf(day, time, PARIS)).toBe(at(moment))
})

test('a time that a day does not have is still a moment of that day', () => {
  const day = dayAt(at('2026-03-29T12:00:00Z'), PARIS)
  const moment = momentOf(day, '02:30', PARIS)
  expect(moment).toBeGreaterThanOrEqual(day.start)
  expect(moment).toBeLessThan(day.end)
})

test('a time that a day has twice is the first of the two', () => {
  const day = dayAt(at('2026-10-25T12:00:00Z'), PARIS)
  const moment = momentOf(day, '02:30', PARIS)
  expect(localParts(moment, PARIS).time).toBe('02:30')
  expect(moment).toBe(at('2026-10-25T02:30:00+02:00'))
})

test('a moment outside the guide belongs to its nearest day', () => {
  const { days } = guideDays(at('2026-11-21T12:00:00Z'), 'UTC', { past: 1, future: 1 })
  expect(dayOf(days, at('2026-11-01T12:00:00Z'))?.date).toBe('2026-11-20')
  expect(dayOf(days, at('2026-11-21T23:59:59Z'))?.date).toBe('2026-11-21')
  expect(dayOf(days, at('2026-11-22T00:00:00Z'))?.date).toBe('2026-11-22')
  expect(dayOf(days, at('2027-01-01T12:00:00Z'))?.date).toBe('2026-11-22')
})

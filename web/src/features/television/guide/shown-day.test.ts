import { expect, test } from 'vitest'
import { guideDays } from '../../ground/days/days.ts'
import { viewAround } from '../schedule/address.ts'
import { dayAfter, sameTimeOn, shownDay, showsNow } from './shown-day.ts'

const PARIS = 'Europe/Paris'
const RANGE = { past: 3, future: 7 }
const at = (text: string) => Date.parse(text) / 1000

test.each([
  '2026-11-21T00:00:00+01:00',
  '2026-11-21T00:10:00+01:00',
  '2026-11-21T00:14:59+01:00',
  '2026-11-21T00:15:00+01:00',
  '2026-11-21T12:00:00+01:00',
  '2026-11-21T23:59:59+01:00',
])(
  'V9-04 at %s the current time belongs to today, though the view around it may begin the day before',
  (moment) => {
    const now = at(moment)
    const guide = guideDays(now, PARIS, RANGE)
    expect(showsNow(viewAround(now), now)).toBe(true)
    expect(shownDay(guide, viewAround(now), now, undefined).date).toBe('2026-11-21')
  },
)

test.each([
  ['2026-11-20T23:44:00+01:00', '2026-11-20'],
  ['2026-11-20T23:45:00+01:00', '2026-11-21'],
  ['2026-11-22T08:00:00+01:00', '2026-11-22'],
  ['2026-10-01T08:00:00+02:00', '2026-11-18'],
  ['2026-12-24T08:00:00+01:00', '2026-11-28'],
])('a view from %s on, without the current time, shows the day %s', (left, date) => {
  const now = at('2026-11-21T12:00:00+01:00')
  expect(shownDay(guideDays(now, PARIS, RANGE), at(left), now, undefined).date).toBe(date)
})

test.each([
  ['just after midnight', '2026-11-21T00:10:00+01:00', '2026-11-28'],
  ['by day', '2026-11-21T12:00:00+01:00', '2026-11-28'],
  ['in the week before clocks go back', '2026-10-22T00:20:00+02:00', '2026-10-29'],
  ['in the week before clocks go forward', '2026-03-26T23:50:00+01:00', '2026-04-02'],
])('V9-05 a step of seven days goes seven days forward and back, %s', (_what, moment, date) => {
  const now = at(moment)
  const guide = guideDays(now, PARIS, RANGE)
  const left = viewAround(now)
  const shown = shownDay(guide, left, now, undefined)
  const last = dayAfter(guide.days, shown, 7)
  expect(last?.date).toBe(date)
  if (last === undefined) return
  // The step leads to the last day of the guide. A step back from there leads to today.
  const there = sameTimeOn(last, left, shown, PARIS)
  expect(there).toBeGreaterThanOrEqual(last.start)
  expect(shownDay(guide, there, now, undefined)).toBe(last)
  expect(dayAfter(guide.days, last, -7)).toBe(guide.today)
})

test('V9-05 a step beyond an end of the guide stops at that end', () => {
  const { days, today } = guideDays(at('2026-11-21T12:00:00+01:00'), PARIS, RANGE)
  expect(dayAfter(days, today, -7)).toBe(days[0])
  expect(dayAfter(days, today, 30)).toBe(days.at(-1))
})

import { expect, test } from 'vitest'
import { lastMidnight, nextTimeOfDay } from './local-time.ts'

const PARIS = 'Europe/Paris'
const at = (text: string) => Date.parse(text)
const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

test.each([
  ['an ordinary day', '02:30', '2026-03-28T00:00:00+01:00', '2026-03-28T02:30:00+01:00'],
  ['before clocks go forward', '01:30', '2026-03-29T00:00:00+01:00', '2026-03-29T01:30:00+01:00'],
  ['a time that clocks skip', '02:30', '2026-03-29T00:00:00+01:00', '2026-03-29T03:30:00+02:00'],
  [
    'a skipped time, from after the change',
    '02:30',
    '2026-03-29T03:10:00+02:00',
    '2026-03-29T03:30:00+02:00',
  ],
  ['after clocks went forward', '03:00', '2026-03-29T00:00:00+01:00', '2026-03-29T03:00:00+02:00'],
  ['the day after', '02:30', '2026-03-29T12:00:00+02:00', '2026-03-30T02:30:00+02:00'],
  ['the day before a skipped time', '02:30', '2026-03-28T12:00:00+01:00', '2026-03-29T03:30:00+02:00'],
  ['a time that comes twice', '02:30', '2026-10-25T00:00:00+02:00', '2026-10-25T02:30:00+02:00'],
  ['after clocks went back', '03:30', '2026-10-25T00:00:00+02:00', '2026-10-25T03:30:00+01:00'],
])('%s: clocks show %s next', (_what, time, after, moment) => {
  expect(new Date(nextTimeOfDay(PARIS, minutes(time), at(after)))).toEqual(new Date(moment))
})

test('a day whose midnight clocks skip begins at one', () => {
  const day = at('2026-03-29T01:00:00+03:00')
  expect(lastMidnight('Asia/Beirut', day + 12 * 3600_000)).toBe(day)
})

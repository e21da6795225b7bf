import { expect, test } from 'vitest'
import { dayAt, localParts } from '../../ground/days/local-day.ts'
import { SLOTS, slotAt, slotStart } from './slots.ts'

const PARIS = 'Europe/Paris'

test.each([
  ['00:00', 'morning'],
  ['06:00', 'morning'],
  ['11:59', 'morning'],
  ['12:00', 'afternoon'],
  ['19:59', 'afternoon'],
  ['20:00', 'evening'],
  ['23:59', 'evening'],
])('V9-06 %s belongs to the %s', (time, slot) => {
  expect(slotAt(Date.parse(`2026-11-21T${time}:00+01:00`) / 1000, PARIS)).toBe(slot)
})

test.each(['2026-11-21', '2026-03-29', '2026-10-25'])(
  'V9-06 the parts of %s begin at local hours, and contain their own start',
  (date) => {
    const day = dayAt(Date.parse(`${date}T12:00:00Z`) / 1000, PARIS)
    const starts = SLOTS.map((slot) => slotStart(slot, day, PARIS))
    expect(starts.map((start) => localParts(start, PARIS))).toEqual([
      { date, time: '06:00' },
      { date, time: '12:00' },
      { date, time: '20:00' },
    ])
    expect(starts.map((start) => slotAt(start, PARIS))).toEqual(SLOTS)
  },
)

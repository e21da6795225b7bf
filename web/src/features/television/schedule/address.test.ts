import { expect, test } from 'vitest'
import { guideDays } from '../../ground/days/days.ts'
import { addressOf, queryOf, readGuideAddress, viewAround, viewOf } from './address.ts'

const PARIS = 'Europe/Paris'
const at = (text: string) => Date.parse(text) / 1000
const NOW = at('2026-11-21T21:34:10+01:00')
const GUIDE = guideDays(NOW, PARIS, { past: 3, future: 7 })

test.each<[Record<string, unknown>, object]>([
  [{}, {}],
  [
    { day: '2026-11-22', time: '20:30' },
    { day: '2026-11-22', time: '20:30' },
  ],
  [{ day: '2026-02-30' }, {}],
  [{ day: '2026-13-01', time: '24:00' }, {}],
  [{ day: '22/11/2026', time: '8:30' }, {}],
  [{ day: ['2026-11-22'], time: 2030 }, {}],
  [{ day: '<script>', other: '1' }, {}],
  [
    { filter: 'cinema-et-series', channel: 12 },
    { filter: 'cinema-et-series', channel: 12 },
  ],
  [
    { filter: 'favourites', channel: '12' },
    { filter: 'favourites', channel: 12 },
  ],
  [{ filter: '<script>', channel: '-3' }, {}],
  [{ filter: 'a'.repeat(100), channel: '1e99' }, {}],
  [{ filter: ['a'], channel: 'one' }, {}],
])('reads the valid parts of an address: %j', (query, address) => {
  expect(readGuideAddress(query)).toEqual(address)
})

test('the view begins at a half hour, a little before now', () => {
  expect(viewAround(NOW)).toBe(at('2026-11-21T21:00:00+01:00'))
  expect(viewAround(at('2026-11-21T21:14:59+01:00'))).toBe(at('2026-11-21T20:30:00+01:00'))
})

test.each([
  [{}, '2026-11-21T21:00:00+01:00'],
  [{ day: '2026-11-23', time: '08:15' }, '2026-11-23T08:15:00+01:00'],
  [{ day: '2026-11-23' }, '2026-11-23T21:00:00+01:00'],
  [{ time: '08:15' }, '2026-11-21T08:15:00+01:00'],
  [{ day: '2020-01-01', time: '08:15' }, '2026-11-18T08:15:00+01:00'],
  [{ day: '2030-01-01', time: '08:15' }, '2026-11-28T08:15:00+01:00'],
])('an address of %j begins at %s', (address, moment) => {
  expect(viewOf(address, GUIDE, NOW)).toBe(at(moment))
})

test.each([
  ['today', '2026-11-21', '2026-11-21T00:00:00+01:00'],
  ['another day', '2026-11-23', '2026-11-23T00:00:00+01:00'],
])('V9-04 just after midnight an address of %s begins at its midnight', (_what, day, moment) => {
  const now = at('2026-11-21T00:10:00+01:00')
  const guide = guideDays(now, PARIS, { past: 3, future: 7 })
  expect(viewOf({ day }, guide, now)).toBe(at(moment))
})

test('a view and its address are equivalent', () => {
  for (const moment of ['2026-11-18T00:00:00+01:00', '2026-11-22T12:35:00+01:00']) {
    expect(viewOf(addressOf(at(moment), GUIDE), GUIDE, NOW)).toBe(at(moment))
  }
})

test('a query contains a whole place of the guide, and reads back the same', () => {
  const place = { from: at('2026-11-22T20:30:00+01:00'), filter: 'sport', channel: 7 }
  const query = queryOf(place, GUIDE)
  expect(query.toString()).toBe('day=2026-11-22&time=20%3A30&filter=sport&channel=7')
  expect(readGuideAddress(Object.fromEntries(query))).toEqual({
    day: '2026-11-22',
    time: '20:30',
    filter: 'sport',
    channel: 7,
  })
  const whole = queryOf({ ...place, filter: undefined, channel: undefined }, GUIDE)
  expect([...whole.keys()]).toEqual(['day', 'time'])
})

import type { GridProgramme } from '@ondine/contract/guide-grid'
import { describe, expect, test } from 'vitest'
import { type GridGround, type GridPlace, move, tileOfPlace } from './moves.ts'
import { type Stretch, type Tile, tileAt, tilesOf } from './tiles.ts'

const HOUR = 3600
const DAY = { date: '2026-11-21', start: 0, end: 24 * HOUR }

type Hours = [start: number, end: number]

/** Builds programmes from their starts and ends, in hours. */
function programmes(...spans: Hours[]): GridProgramme[] {
  return spans.map(([start, end], index) => ({
    id: index + 1,
    id_channel: 1,
    title: '',
    startutc: start * HOUR,
    endutc: end * HOUR,
    isNeedParentalCode: false,
  }))
}

/** Builds a row in which a programme begins at each of these hours, and lasts until the next hour in the list. */
function row(...hours: number[]): Tile[] {
  const spans = hours.map((hour, index): Hours => [hour, hours[index + 1] ?? 24])
  return tilesOf([{ start: 0, end: DAY.end, programmes: programmes(...spans) }])
}

const ROWS = [row(0, 8, 12, 20), row(0, 9, 21), row(0, 20.5, 22), row(0)]
const GROUND: GridGround = { rows: 4, page: 2, days: [DAY], tilesOf: (index) => ROWS[index] ?? [] }

function press(key: string, place: [row: number, hour: number], ctrlKey = false) {
  const to = move({ row: place[0], time: place[1] * HOUR }, { key, ctrlKey }, GROUND)
  return to && [to.row, to.time / HOUR]
}

test.each<[key: string, from: [number, number], to: [number, number]]>([
  ['ArrowRight', [0, 8.5], [0, 12]],
  ['ArrowLeft', [0, 12], [0, 8]],
  ['ArrowLeft', [0, 13.5], [0, 8]],
  ['Home', [0, 21], [0, 0]],
  ['End', [0, 3], [0, 20]],
])('%s from %j moves to %j, in order of time', (key, from, to) => {
  expect(press(key, from)).toEqual(to)
})

test.each<[what: string, spans: Hours[]]>([
  [
    'begins the day',
    [
      [-4, -2],
      [-2, 3],
      [3, 20],
      [20, 26],
    ],
  ],
  [
    'lasts longer than it',
    [
      [-4, -2],
      [-2, 26],
    ],
  ],
])('Home and End move to the ends of the current day, where a programme over midnight %s', (_what, spans) => {
  const yesterday = { date: '2026-11-20', start: -24 * HOUR, end: 0 }
  const all = programmes(...spans)
  const within = (from: number, to: number) => all.filter((each) => each.startutc < to && each.endutc > from)
  const tiles = tilesOf(
    [yesterday, DAY, { start: DAY.end, end: 2 * DAY.end }].map(({ start, end }) => ({
      start,
      end,
      programmes: within(start, end),
    })),
  )
  const last = tiles.findLast(({ start }) => start < DAY.end)
  let place: GridPlace = { row: 0, time: 12 * HOUR }
  const days = [yesterday, DAY, { date: '2026-11-22', start: DAY.end, end: 2 * DAY.end }]
  for (const key of ['Home', 'End', 'Home', 'End', 'End']) {
    place = move(place, { key, ctrlKey: false }, { ...GROUND, days, tilesOf: () => tiles }) ?? place
    expect(place.time).toBe(key === 'Home' ? DAY.start : Math.max(last?.start ?? Number.NaN, DAY.start))
    expect(tileAt(tiles, place.time)?.start).toBe(key === 'Home' ? -2 * HOUR : last?.start)
  }
})

test.each<[key: string, from: [number, number], to: [number, number]]>([
  ['ArrowDown', [0, 21.5], [1, 21.5]],
  ['ArrowUp', [1, 21.5], [0, 21.5]],
  ['ArrowUp', [0, 21.5], [0, 21.5]],
  ['ArrowDown', [3, 21.5], [3, 21.5]],
  ['PageDown', [0, 21.5], [2, 21.5]],
  ['PageDown', [3, 21.5], [3, 21.5]],
  ['PageUp', [3, 21.5], [1, 21.5]],
  ['PageUp', [1, 21.5], [0, 21.5]],
])('%s from %j moves to %j, at the same time', (key, from, to) => {
  expect(press(key, from)).toEqual(to)
})

test('up and down keep the time across a long programme', () => {
  let place: [number, number] = [0, 20]
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowUp']) {
    place = press(key, place) as [number, number]
  }
  expect(place).toEqual([0, 20])
})

test('Control moves to the first and the last channel', () => {
  expect(press('Home', [2, 21], true)).toEqual([0, 21])
  expect(press('End', [0, 21], true)).toEqual([3, 21])
})

test('ignores other keys', () => {
  for (const key of ['a', 'Tab', 'Escape', 'F5']) expect(press(key, [0, 0])).toBeUndefined()
})

describe('where a row is not loaded', () => {
  const DAYS = [-1, 0, 1].map((day) => ({
    date: `2026-11-${21 + day}`,
    start: day * DAY.end,
    end: (day + 1) * DAY.end,
  }))
  type Day = Hours[] | 'waiting' | 'failed' | undefined
  /** Builds a row from three days. An undefined day is not loaded, and has no tiles. */
  const laid = (...days: [Day, Day, Day]) =>
    tilesOf(
      DAYS.flatMap(({ start, end }, index): Stretch[] => {
        const day = days[index]
        if (day === undefined) return []
        return [{ start, end, programmes: typeof day === 'string' ? day : programmes(...day) }]
      }),
    )
  /** Returns the moment to which a key moves within a row, in hours. */
  const along = (tiles: readonly Tile[], key: string, hour: number) => {
    const ground = { ...GROUND, days: DAYS, tilesOf: () => tiles }
    return (move({ row: 0, time: hour * HOUR }, { key, ctrlKey: false }, ground)?.time ?? Number.NaN) / HOUR
  }
  const BEFORE_MIDNIGHT = -1 / HOUR

  test.each<[what: string, row: readonly Tile[], key: string, from: number, to: number]>([
    ['to the next day from a day without programmes', laid(undefined, [], undefined), 'ArrowRight', 10, 24],
    [
      'to the previous day from a day without programmes',
      laid(undefined, [], undefined),
      'ArrowLeft',
      10,
      BEFORE_MIDNIGHT,
    ],
    ['to the day after the last programme', laid(undefined, [[0, 24]], undefined), 'ArrowRight', 23, 24],
    [
      'over a programme that continues past midnight',
      laid(undefined, [[20, 24.5]], undefined),
      'ArrowRight',
      21,
      24.5,
    ],
    [
      'over a programme that began the day before',
      laid(undefined, [[-2, 3]], undefined),
      'ArrowLeft',
      1,
      -2 + BEFORE_MIDNIGHT,
    ],
    [
      'to the end of a day that is loading',
      laid('waiting', [[0, 24]], undefined),
      'ArrowLeft',
      1,
      BEFORE_MIDNIGHT,
    ],
    ['to the end of one that failed', laid('failed', [[0, 24]], undefined), 'ArrowLeft', 1, BEFORE_MIDNIGHT],
    [
      'to before a programme that began in it',
      laid('waiting', [[-2, 3]], undefined),
      'ArrowLeft',
      1,
      -2 + BEFORE_MIDNIGHT,
    ],
    ['to the beginning of a day that is loading', laid(undefined, [[0, 24]], 'waiting'), 'ArrowRight', 1, 24],
    ['on from a day that is loading', laid(undefined, 'waiting', undefined), 'ArrowRight', 0, 24],
    ['back from a day that failed', laid(undefined, 'failed', undefined), 'ArrowLeft', 20, BEFORE_MIDNIGHT],
    [
      'to the end of the day that is loading',
      laid(undefined, 'waiting', undefined),
      'End',
      0,
      24 + BEFORE_MIDNIGHT,
    ],
    ['to its beginning', laid(undefined, 'waiting', undefined), 'Home', 20, 0],
    [
      'over a gap too short to be drawn',
      laid(
        undefined,
        [
          [0, 20],
          [20 + 1 / 60, 24],
        ],
        undefined,
      ),
      'ArrowRight',
      5,
      20 + 1 / 60,
    ],
    ['over one at midnight', laid(undefined, [[0, 24 - 1 / 60]], undefined), 'ArrowRight', 5, 24],
    [
      'back over one at midnight',
      laid(undefined, [[1 / 60, 24]], undefined),
      'ArrowLeft',
      5,
      BEFORE_MIDNIGHT,
    ],
    ['nowhere at the end of the guide', laid(undefined, undefined, []), 'ArrowRight', 30, 30],
    [
      'nowhere from a programme that continues past it',
      laid(undefined, undefined, [[24, 50]]),
      'ArrowRight',
      30,
      30,
    ],
    ['nowhere at its beginning', laid([], undefined, undefined), 'ArrowLeft', -10, -10],
    [
      'nowhere from a programme that began before it',
      laid([[-30, -2]], undefined, undefined),
      'ArrowLeft',
      -10,
      -10,
    ],
  ])('moves %s', (_what, tiles, key, from, to) => {
    expect(along(tiles, key, from)).toBeCloseTo(to, 6)
  })

  test.each<[what: string, hour: number, day: [Day, Day, Day], start: number | undefined]>([
    ['nothing while its day is not loaded', 24, [undefined, [[0, 24]], undefined], undefined],
    ['nothing before the loaded days either', BEFORE_MIDNIGHT, [undefined, [[0, 24]], undefined], undefined],
    ['its day while that is loading', 24, [undefined, [[0, 24]], 'waiting'], 24],
    [
      'the first of the day',
      24,
      [
        undefined,
        [[0, 24]],
        [
          [24, 30],
          [30, 48],
        ],
      ],
      24,
    ],
    [
      'the first of the day, a minute after midnight',
      24,
      [undefined, [[0, 24]], [[24 + 1 / 60, 48]]],
      24 + 1 / 60,
    ],
    [
      'the last of the day, a minute before midnight',
      BEFORE_MIDNIGHT,
      [
        [
          [-9, -2],
          [-2, -1 / 60],
        ],
        [[0, 24]],
        undefined,
      ],
      -2,
    ],
    ['a programme that continues past midnight', 24, [undefined, [[20, 30]], [[20, 30]]], 20],
  ])('the place is on %s', (_what, hour, days, start) => {
    const tile = tileOfPlace(laid(...days), hour * HOUR, DAYS)
    expect(tile && tile.start / HOUR).toBe(start)
  })
})

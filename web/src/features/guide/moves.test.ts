import { expect, test } from 'vitest'
import { type GridGround, type GridPlace, move } from './moves.ts'
import { type Tile, tileAt, tilesOf } from './tiles.ts'

const HOUR = 3600
const DAY = { date: '2026-11-21', start: 0, end: 24 * HOUR }

/** A row whose programmes begin at these hours. */
function row(...hours: number[]): Tile[] {
  return tilesOf([
    {
      start: 0,
      end: DAY.end,
      programmes: hours.map((hour, index) => ({
        id: index + 1,
        id_channel: 1,
        title: '',
        startutc: hour * HOUR,
        endutc: (hours[index + 1] ?? 24) * HOUR,
        isNeedParentalCode: false,
      })),
    },
  ])
}

const ROWS = [row(0, 8, 12, 20), row(0, 9, 21), row(0, 20.5, 22), row(0)]
const GROUND: GridGround = { rows: 4, page: 2, day: DAY, tilesOf: (index) => ROWS[index] ?? [] }

function press(key: string, place: [row: number, hour: number], ctrlKey = false) {
  const to = move({ row: place[0], time: place[1] * HOUR }, { key, ctrlKey }, GROUND)
  return to && [to.row, to.time / HOUR]
}

test.each<[key: string, from: [number, number], to: [number, number]]>([
  ['ArrowRight', [0, 8.5], [0, 12]],
  ['ArrowRight', [0, 21], [0, 20]],
  ['ArrowLeft', [0, 12], [0, 8]],
  ['ArrowLeft', [0, 13.5], [0, 8]],
  ['ArrowLeft', [0, 3], [0, 0]],
  ['Home', [0, 21], [0, 0]],
  ['End', [0, 3], [0, 20]],
])('%s from %j leads to %j, in order of time', (key, from, to) => {
  expect(press(key, from)).toEqual(to)
})

test.each<[what: string, programmes: [start: number, end: number][]]>([
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
])(
  'Home and End lead to the ends of the day that one is in, where a programme over midnight %s',
  (_what, programmes) => {
    const yesterday = { date: '2026-11-20', start: -24 * HOUR, end: 0 }
    const all = programmes.map(([start, end], index) => ({
      id: index + 1,
      id_channel: 1,
      title: '',
      startutc: start * HOUR,
      endutc: end * HOUR,
      isNeedParentalCode: false,
    }))
    const within = (from: number, to: number) =>
      all.filter((each) => each.startutc < to && each.endutc > from)
    const tiles = tilesOf(
      [yesterday, DAY, { start: DAY.end, end: 2 * DAY.end }].map(({ start, end }) => ({
        start,
        end,
        programmes: within(start, end),
      })),
    )
    const last = tiles.findLast(({ start }) => start < DAY.end)
    let place: GridPlace = { row: 0, time: 12 * HOUR }
    for (const key of ['Home', 'End', 'Home', 'End', 'End']) {
      // The day is the one that the place is in, as the grid has it.
      const day = place.time < DAY.start ? yesterday : DAY
      place = move(place, { key, ctrlKey: false }, { ...GROUND, day, tilesOf: () => tiles }) ?? place
      expect(place.time).toBe(key === 'Home' ? DAY.start : Math.max(last?.start ?? Number.NaN, DAY.start))
      expect(tileAt(tiles, place.time)?.start).toBe(key === 'Home' ? -2 * HOUR : last?.start)
    }
  },
)

test.each<[key: string, from: [number, number], to: [number, number]]>([
  ['ArrowDown', [0, 21.5], [1, 21.5]],
  ['ArrowUp', [1, 21.5], [0, 21.5]],
  ['ArrowUp', [0, 21.5], [0, 21.5]],
  ['ArrowDown', [3, 21.5], [3, 21.5]],
  ['PageDown', [0, 21.5], [2, 21.5]],
  ['PageDown', [3, 21.5], [3, 21.5]],
  ['PageUp', [3, 21.5], [1, 21.5]],
  ['PageUp', [1, 21.5], [0, 21.5]],
])('%s from %j leads to %j, at the same time', (key, from, to) => {
  expect(press(key, from)).toEqual(to)
})

test('up and down keep the time on the way over a long programme', () => {
  let place: [number, number] = [0, 20]
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowUp']) {
    place = press(key, place) as [number, number]
  }
  expect(place).toEqual([0, 20])
})

test('Control leads to the first and the last channel', () => {
  expect(press('Home', [2, 21], true)).toEqual([0, 21])
  expect(press('End', [0, 21], true)).toEqual([3, 21])
})

test('other keys mean nothing', () => {
  for (const key of ['a', 'Tab', 'Escape', 'F5']) expect(press(key, [0, 0])).toBeUndefined()
})

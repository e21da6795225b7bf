import type { GridProgramme } from '@ondine/contract/guide-grid'
import { expect, test } from 'vitest'
import {
  chosenProgramme,
  followingIn,
  isGone,
  lastChange,
  movedTile,
  type Stretch,
  sliverAt,
  type Tile,
  tileAt,
  tilesOf,
} from './tiles.ts'

const MINUTE = 60
/** A full hour, because programmes share a tile only within a half hour of the clock. */
const START = 1_795_212_000
const DAY = 86_400

let count = 0
function programme(from: number, to: number, title = `from ${from}`): GridProgramme {
  return {
    id: ++count,
    id_channel: 1,
    title,
    startutc: START + from * MINUTE,
    endutc: START + to * MINUTE,
    isNeedParentalCode: false,
  }
}

/** Returns the kinds, times and programmes of tiles. Times are in minutes after `START`. */
function seen(tiles: readonly Tile[]) {
  return tiles.map(({ kind, start, end, programmes }) => [
    kind,
    (start - START) / MINUTE,
    (end - START) / MINUTE,
    programmes.length,
  ])
}

function stretch(programmes: Stretch['programmes'], from = 0, minutes = 240) {
  return { start: START + from * MINUTE, end: START + (from + minutes) * MINUTE, programmes }
}

test('programmes lie at their times, and unknown times are marked', () => {
  expect(seen(tilesOf([stretch([programme(10, 60), programme(60, 100), programme(130, 200)])]))).toEqual([
    ['unknown', 0, 10, 0],
    ['programme', 10, 60, 1],
    ['programme', 60, 100, 1],
    ['unknown', 100, 130, 0],
    ['programme', 130, 200, 1],
    ['unknown', 200, 240, 0],
  ])
})

test('a programme beyond the edges is cut there', () => {
  expect(seen(tilesOf([stretch([programme(-30, 60), programme(60, 300)])]))).toEqual([
    ['programme', 0, 60, 1],
    ['programme', 60, 240, 1],
  ])
})

test('a programme over midnight is one tile, though both days contain it', () => {
  const late = programme(200, 290)
  expect(
    seen(tilesOf([stretch([programme(0, 200), late]), stretch([late, programme(290, 480)], 240)])),
  ).toEqual([
    ['programme', 0, 200, 1],
    ['programme', 200, 290, 1],
    ['programme', 290, 480, 1],
  ])
})

test('a day that has not arrived waits, and a programme extends into it', () => {
  expect(seen(tilesOf([stretch([programme(0, 300)]), stretch('waiting', 240)]))).toEqual([
    ['programme', 0, 300, 1],
    ['waiting', 300, 480, 0],
  ])
  expect(seen(tilesOf([stretch('waiting')]))).toEqual([['waiting', 0, 240, 0]])
})

test('a channel without programmes is one unknown tile', () => {
  expect(seen(tilesOf([stretch([])]))).toEqual([['unknown', 0, 240, 0]])
  expect(tilesOf([])).toEqual([])
})

test('of two overlapping programmes the second begins at the end of the first, and one inside another is not shown', () => {
  expect(seen(tilesOf([stretch([programme(0, 60), programme(20, 40), programme(50, 240)])]))).toEqual([
    ['programme', 0, 60, 1],
    ['programme', 60, 240, 1],
  ])
})

test('short programmes side by side share a tile, of at most half an hour', () => {
  const shorts = Array.from({ length: 60 }, (_, index) => programme(index * 2, index * 2 + 2))
  expect(seen(tilesOf([stretch([...shorts, programme(120, 240)])]))).toEqual([
    ['several', 0, 30, 15],
    ['several', 30, 60, 15],
    ['several', 60, 90, 15],
    ['several', 90, 120, 15],
    ['programme', 120, 240, 1],
  ])
})

test.each([
  [
    'a short programme between long ones',
    [0, 60, 64, 240],
    [
      ['several', 0, 64, 2],
      ['programme', 64, 240, 1],
    ],
  ],
  [
    'two short ones between long ones',
    [0, 60, 62, 64, 240],
    [
      ['several', 0, 64, 3],
      ['programme', 64, 240, 1],
    ],
  ],
  [
    'a short one at the beginning',
    [0, 2, 60, 240],
    [
      ['several', 0, 60, 2],
      ['programme', 60, 240, 1],
    ],
  ],
  [
    'ten minutes',
    [0, 60, 70, 240],
    [
      ['programme', 0, 60, 1],
      ['programme', 60, 70, 1],
      ['programme', 70, 240, 1],
    ],
  ],
  [
    'nine minutes in a row',
    [0, 9, 18, 27, 36, 45, 240],
    [
      ['several', 0, 18, 2],
      ['several', 18, 45, 3],
      ['programme', 45, 240, 1],
    ],
  ],
] as const)('%s: a programme too narrow for text shares the tile of a neighbour', (_what, ends, tiles) => {
  const programmes = ends.slice(1).map((end, index) => programme(ends[index] ?? 0, end))
  expect(seen(tilesOf([stretch(programmes)]))).toEqual(tiles)
})

test('a short programme without known neighbours keeps its own tile', () => {
  expect(seen(tilesOf([stretch([programme(60, 62)])]))).toEqual([
    ['unknown', 0, 60, 0],
    ['programme', 60, 62, 1],
    ['unknown', 62, 240, 0],
  ])
})

test('every tile with a neighbour is wide enough for its text, for any lengths', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const ends = [0]
    for (let index = 0; (ends.at(-1) ?? 0) < 240; index += 1)
      ends.push(Math.min(240, (ends.at(-1) ?? 0) + 1 + ((seed * (index + 3) * 7919) % 13) ** 2))
    const tiles = tilesOf([stretch(ends.slice(1).map((end, index) => programme(ends[index] ?? 0, end)))])
    expect(tiles.flatMap(({ programmes }) => programmes)).toHaveLength(ends.length - 1)
    for (const { kind, start, end } of tiles)
      expect(end - start).toBeGreaterThanOrEqual(kind === 'several' ? 900 : 600)
  }
})

test('tiles never overlap and leave no gap, on days of 23, 24 and 25 hours', () => {
  for (const hours of [23, 24, 25]) {
    const end = hours * 60
    const programmes = Array.from({ length: 90 }, (_, index) =>
      programme(index * 17, index * 17 + 17),
    ).filter(({ startutc }) => startutc < START + end * MINUTE)
    const tiles = tilesOf([stretch(programmes, 0, end)])
    expect(tiles[0]?.start).toBe(START)
    expect(tiles.at(-1)?.end).toBe(START + end * MINUTE)
    for (const [index, tile] of tiles.slice(1).entries()) expect(tile.start).toBe(tiles[index]?.end)
  }
})

test('the tile at a moment includes its start and excludes its end', () => {
  const tiles = tilesOf([stretch([programme(0, 60), programme(60, 240)])])
  expect(tileAt(tiles, START + 59 * MINUTE)).toBe(tiles[0])
  expect(tileAt(tiles, START + 60 * MINUTE)).toBe(tiles[1])
  expect(tileAt(tiles, START - DAY)).toBe(tiles[0])
  expect(tileAt(tiles, START + DAY)).toBe(tiles[1])
  expect(tileAt([], START)).toBeUndefined()
})

test('of a shared tile the current programme is chosen, else the first', () => {
  const [tile] = tilesOf([stretch([programme(0, 2, 'A'), programme(2, 4, 'B')], 0, 4)])
  if (tile === undefined) throw new Error('The row has no tile')
  expect(chosenProgramme(tile, START + 3 * MINUTE)?.title).toBe('B')
  expect(chosenProgramme(tile, START + DAY)?.title).toBe('A')
})

test('a row last changed when a programme began or ended, and never before the first one', () => {
  const tiles = tilesOf([stretch([programme(10, 60), programme(60, 240)])])
  const changeAt = (minute: number) => (lastChange(tiles, START + minute * MINUTE) - START) / MINUTE
  expect(changeAt(5)).toBe(0)
  expect(changeAt(30)).toBe(10)
  expect(changeAt(61)).toBe(60)
  expect(changeAt(300)).toBe(240)
  // On the day before, none of these programmes has begun.
  expect(lastChange(tiles, START - DAY)).toBeLessThan(START - DAY)
})

test('a tile of short programmes gives the current one and the next one with another title', () => {
  const short = [
    programme(0, 1, 'La Houle'),
    programme(1, 2, 'La Houle'),
    programme(2, 3, 'Encre'),
    programme(3, 4, 'Encre'),
  ]
  const [tile] = tilesOf([stretch(short)])
  expect(tile?.kind).toBe('several')
  expect(chosenProgramme(tile!, START + 90)?.title).toBe('La Houle')
  expect(followingIn(tile!, START + 90)?.title).toBe('Encre')
  // Before the tile begins, it shows its first programme, so the second programme is the next one.
  expect(followingIn(tile!, START - 90)?.title).toBe('Encre')
  expect(followingIn(tile!, START + 200)).toBeUndefined()
})

test('a tile of which only a sliver is left at the edge of the view is named', () => {
  const tiles = tilesOf([stretch([programme(0, 60, 'La Houle'), programme(60, 120, 'Encre')])])
  const titleAt = (minute: number) => sliverAt(tiles, START + minute * MINUTE)?.programmes[0]?.title
  expect(titleAt(0)).toBeUndefined()
  expect(titleAt(45)).toBeUndefined()
  expect(titleAt(46)).toBe('La Houle')
  expect(titleAt(60)).toBeUndefined()
})

test('a programme is gone when its row has no trace of it, but not while the data is missing', () => {
  const film = programme(0, 60)
  const day = (programmes: Stretch['programmes']) => tilesOf([{ start: START, end: START + DAY, programmes }])
  const [tile] = day([film, programme(60, 120)])
  if (tile === undefined) throw new Error('no tile')
  expect(isGone(tile, day([film]))).toBe(false)
  const later = { ...film, startutc: START + 30 * MINUTE, endutc: START + 90 * MINUTE }
  expect(isGone(tile, day([programme(0, 30), later]))).toBe(false)
  expect(isGone(tile, day([programme(0, 60)]))).toBe(true)
  expect(isGone(tile, day([]))).toBe(true)
  expect(isGone(tile, day('waiting'))).toBe(false)
  expect(isGone(tile, day('failed'))).toBe(false)
  expect(isGone(tile, [])).toBe(false)
})

test('a tile is found again where the guide has moved its programme', () => {
  const film = programme(0, 60, 'Film')
  const day = (programmes: GridProgramme[] | 'waiting') => tilesOf([{ ...stretch([]), programmes }])
  const [tile] = day([film])
  const later = { ...film, startutc: START + 90 * MINUTE, endutc: START + 150 * MINUTE }
  if (tile === undefined) throw new Error('The day has no tile.')
  expect(movedTile(tile, day([programme(0, 90), later]))?.programmes).toEqual([later])
  expect(movedTile(tile, day([{ ...film, endutc: START + 90 * MINUTE }]))).toBeUndefined()
  expect(movedTile(tile, day([programme(0, 60)]))).toBeUndefined()
  expect(movedTile(tile, day('waiting'))).toBeUndefined()
})

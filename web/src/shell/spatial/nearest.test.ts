import { expect, test } from 'vitest'
import { type Direction, nearest, type Rectangle } from './nearest.ts'

function box(left: number, top: number, width = 100, height = 60): Rectangle {
  return { left, top, right: left + width, bottom: top + height }
}

// A bar of three elements above two rails of cards. The second rail is scrolled by half a card.
const BAR = [box(0, 0, 60, 30), box(80, 0, 60, 30), box(900, 0, 60, 30)]
const FIRST = [box(0, 100), box(120, 100), box(240, 100)]
const SECOND = [box(-60, 220), box(60, 220), box(180, 220)]
const ALL = [...BAR, ...FIRST, ...SECOND]

test.each<[string, number, Direction, number]>([
  ['right along a rail', 3, 'right', 4],
  ['left along a rail', 5, 'left', 4],
  ['nowhere before the first', 3, 'left', -1],
  ['nowhere after the last', 8, 'right', -1],
  ['down to the rail below, at the same position', 4, 'down', 7],
  ['up to the rail above', 8, 'up', 4],
  ['up into the bar', 3, 'up', 0],
  ['up into the bar, sideways', 5, 'up', 1],
  ['down out of the bar, far sideways', 2, 'down', 5],
  ['nowhere below the last', 6, 'down', -1],
  ['nowhere above the bar', 1, 'up', -1],
])('moves %s', (_what, from, direction, to) => {
  const here = ALL[from] ?? box(0, 0)
  const others = ALL.filter((each) => each !== here)
  const found = others[nearest(here, others, direction)]
  expect(found === undefined ? -1 : ALL.indexOf(found)).toBe(to)
})

test('a card that overlaps by its border still counts as next to the previous one', () => {
  expect(nearest(box(0, 0), [box(96, 0)], 'right')).toBe(0)
  expect(nearest(box(0, 0), [box(40, 0)], 'right')).toBe(-1)
})

test('an arrow does not lead from the end of a row of high cards to a button above the row', () => {
  expect(nearest(box(0, 200, 400, 300), [box(450, 50, 60, 50)], 'right')).toBe(-1)
})

test('an arrow leads from a longer column to the end of a shorter one where every line counts', () => {
  const short = [box(200, 0), box(200, 70)]
  expect(nearest(box(0, 210), short, 'right')).toBe(-1)
  expect(nearest(box(0, 210), short, 'right', true)).toBe(1)
})

test('an enclosing box is not a target', () => {
  expect(nearest(box(100, 100), [box(0, 0, 400, 400)], 'right')).toBe(-1)
})

test('returns -1 without targets', () => {
  expect(nearest(box(0, 0), [], 'down')).toBe(-1)
})

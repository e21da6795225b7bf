import { expect, test } from 'vitest'
import { fillsScreen, isShort, railLines } from './rail-lines.ts'

const rail = (
  id: string,
  count: number,
  layout: 'Cover' | 'Poster' | 'Hero' = 'Cover',
  { kind = 'category', failed = false }: { kind?: 'category' | 'editorial'; failed?: boolean } = {},
) => ({ id, layout, kind, failed, items: Array.from({ length: count }, () => ({ type: 'asset' }) as never) })

const ids = (...rails: ReturnType<typeof rail>[]) =>
  railLines(rails).map(({ places }) => places.map(({ id }) => id).join('+'))
const kinds = (...rails: ReturnType<typeof rail>[]) => railLines(rails).map(({ kind }) => kind)

test('short rails share a line, in their order', () => {
  expect(ids(rail('live', 4), rail('continue', 2), rail('favorites', 1), rail('films', 12))).toEqual([
    'live',
    'continue+favorites',
    'films',
  ])
})

test('a line takes only the rails that fit', () => {
  expect(ids(rail('a', 3), rail('b', 3))).toEqual(['a', 'b'])
  expect(ids(rail('a', 3, 'Poster'), rail('b', 2, 'Poster'), rail('c', 3, 'Poster'))).toEqual(['a+b', 'c'])
})

test('a short rail that would leave half of its line empty joins the next long rail, or the previous one', () => {
  expect(ids(rail('a', 1), rail('long', 8), rail('b', 9))).toEqual(['a+long', 'b'])
  expect(kinds(rail('a', 1), rail('long', 8), rail('b', 9))).toEqual(['whole', 'whole'])
  expect(ids(rail('long', 8), rail('a', 2, 'Poster'))).toEqual(['long+a'])
  expect(ids(rail('a', 2), rail('long', 8))).toEqual(['a+long'])
  expect(ids(rail('a', 1, 'Poster'), rail('b', 1, 'Poster'), rail('long', 8))).toEqual(['a+b+long'])
  expect(ids(rail('a', 1), rail('long', 8), rail('b', 1), rail('more', 8))).toEqual(['a+long', 'b+more'])
  expect(ids(rail('a', 1), rail('long', 8), rail('b', 1))).toEqual(['a+long+b'])
})

test('short rails that fill more than half of a line keep it, with cards of the usual size', () => {
  expect(ids(rail('a', 3), rail('long', 8))).toEqual(['a', 'long'])
  expect(ids(rail('a', 1), rail('b', 3, 'Poster'), rail('long', 8))).toEqual(['a+b', 'long'])
  expect(kinds(rail('a', 3))).toEqual(['whole'])
})

test('a short rail without a neighbour is alone, also beside one that fills the screen', () => {
  expect(kinds(rail('a', 1))).toEqual(['alone'])
  expect(kinds(rail('a', 1), rail('b', 1))).toEqual(['alone'])
  expect(kinds(rail('hero', 5, 'Hero'), rail('a', 1), rail('slides', 2, 'Hero'))).toEqual([
    'whole',
    'alone',
    'whole',
  ])
})

test('a failed rail and a rail of articles have a line of their own', () => {
  expect(ids(rail('a', 1), rail('b', 0, 'Cover', { failed: true }), rail('c', 1))).toEqual(['a', 'b', 'c'])
  expect(ids(rail('a', 1), rail('b', 0, 'Cover', { kind: 'editorial' }))).toEqual(['a', 'b'])
})

test('no two consecutive lines could be merged, for any number of cards', () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const rails = Array.from({ length: 8 }, (_, index) =>
      rail(
        String(index),
        1 + ((seed * (index + 3) * 7919) % 6),
        (seed + index) % 2 === 0 ? 'Cover' : 'Poster',
      ),
    )
    const lines = railLines(rails)
    expect(lines.flatMap(({ places }) => places)).toEqual(rails)
    // A line is `alone` only if the lines above and below it contain no long rail.
    for (const [index, { kind }] of lines.entries()) {
      if (kind !== 'alone') continue
      for (const near of [lines[index - 1], lines[index + 1]])
        expect(near?.kind === 'whole' && near.places.some(({ items }) => items.length > 3)).toBe(false)
    }
    for (const [index, line] of lines.entries()) {
      const next = lines[index + 1]?.places[0]
      if (next === undefined || !isShort(next) || !line.places.every(isShort)) continue
      const covers = [...line.places, next].map(
        ({ items, layout }) => items.length * (layout === 'Cover' ? 1 : 0.66),
      )
      expect(covers.reduce((sum, width) => sum + width, 0)).toBeGreaterThan(3.45)
    }
  }
})

test('a rail fills the screen only with titles, not with recordings and channels', () => {
  const items = (...types: string[]) => types.map((type) => ({ type }) as never)
  expect(fillsScreen({ layout: 'Hero', items: items('recording', 'channel') })).toBe(false)
  expect(fillsScreen({ layout: 'Hero', items: items('recording', 'category') })).toBe(true)
})

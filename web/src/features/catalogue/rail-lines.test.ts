import { expect, test } from 'vitest'
import { isShort, railLines } from './rail-lines.ts'

const rail = (
  id: string,
  count: number,
  layout: 'Cover' | 'Poster' = 'Cover',
  { kind = 'category', failed = false }: { kind?: 'category' | 'editorial'; failed?: boolean } = {},
) => ({ id, layout, kind, failed, items: Array.from({ length: count }, () => ({}) as never) })

const ids = (...rails: ReturnType<typeof rail>[]) =>
  railLines(rails).map((line) => line.map((each) => each.rail.id).join('+'))

test('short rails share a line, in their order', () => {
  expect(ids(rail('live', 4), rail('continue', 2), rail('favorites', 1), rail('films', 12))).toEqual([
    'live',
    'continue+favorites',
    'films',
  ])
})

test('a line takes no more than has room in it', () => {
  expect(ids(rail('a', 3), rail('b', 3))).toEqual(['a', 'b'])
  expect(ids(rail('a', 3, 'Poster'), rail('b', 3, 'Poster'), rail('c', 3, 'Poster'))).toEqual(['a+b', 'c'])
})

test('a rail that failed, and one of articles, has a line of its own', () => {
  expect(ids(rail('a', 1), rail('b', 0, 'Cover', { failed: true }), rail('c', 1))).toEqual(['a', 'b', 'c'])
  expect(ids(rail('a', 1), rail('b', 0, 'Cover', { kind: 'editorial' }))).toEqual(['a', 'b'])
})

test('no two lines that follow each other could be one, however many cards there are', () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const rails = Array.from({ length: 8 }, (_, index) =>
      rail(
        String(index),
        1 + ((seed * (index + 3) * 7919) % 6),
        (seed + index) % 2 === 0 ? 'Cover' : 'Poster',
      ),
    )
    const lines = railLines(rails)
    expect(lines.flat().map((each) => each.rail)).toEqual(rails)
    for (const [index, line] of lines.entries()) {
      const next = lines[index + 1]?.[0]
      if (next === undefined || !isShort(next.rail) || !line.every((each) => isShort(each.rail))) continue
      expect(line.reduce((sum, { width }) => sum + width, next.width)).toBeGreaterThan(4.3)
    }
  }
})

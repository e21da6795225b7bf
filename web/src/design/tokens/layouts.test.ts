import { LAYOUT } from '@ondine/contract/constants'
import { describe, expect, test } from 'vitest'
import {
  gridColumns,
  PICTURE_RATIOS,
  type RailLayout,
  suggestionsPerView,
  titlePixels,
  titleProperties,
} from './layouts.ts'

describe('title sizes', () => {
  test.each([
    [52, 1280, 52],
    [52, 800, 52],
    [52, 799, 41.6],
    [20, 360, 16],
    [11, 1280, 12],
    [0, 1280, 12],
    [-40, 1280, 12],
    [200, 1280, 200],
    [201, 1280, 200],
    [1000, 360, 160],
    // A size that is reduced in a narrow window still stays within the limits.
    [12, 360, 12],
    [14, 360, 12],
    [Number.NaN, 1280, 12],
    [Number.POSITIVE_INFINITY, 1280, 200],
  ])('V5-04 %d px in a window of %d px is shown at %d px', (size, width, shown) => {
    expect(titlePixels(size, width)).toBe(shown)
  })

  test('V5-04 gives both sizes to the style sheet, which knows the window', () => {
    expect(titleProperties('--title-hero', 52)).toEqual({
      '--title-hero-wide': '52px',
      '--title-hero-narrow': '41.6px',
    })
  })
})

test('V9-09 shows from 2 suggestions at 320 px to 8 at 2100 px, never fewer in a wider window', () => {
  expect([0, 320, 2100, 4000].map(suggestionsPerView)).toEqual([2, 2, 8, 8])
  const counts = Array.from({ length: 2100 }, (_, width) => suggestionsPerView(width))
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  expect(new Set(counts)).toEqual(new Set([2, 3, 4, 5, 6, 7, 8]))
})

describe('grids', () => {
  const LAYOUTS = Object.keys(PICTURE_RATIOS) as RailLayout[]

  test('V9-12 show 3 in a narrow row by default, or 1', () => {
    expect(gridColumns('Poster')[0]).toEqual({ from: 0, columns: 3 })
    expect(gridColumns('Cover')[0]).toEqual({ from: 0, columns: 3 })
    expect(gridColumns('Cover', 1)[0]).toEqual({ from: 0, columns: 1 })
  })

  test('V9-12 show 8 covers, or 7 other cards, at the widest', () => {
    const widest = (layout: RailLayout) => gridColumns(layout).at(-1)?.columns
    expect(widest('Cover')).toBe(8)
    expect(
      ['Poster', 'Totem', 'Circle', 'OfferSquare'].map((layout) => widest(layout as RailLayout)),
    ).toEqual([7, 7, 7, 7])
    expect(LAYOUT.designMode).toEqual({ cover: 8, other: 7 })
  })

  test('show search results at a readable size', () => {
    expect(gridColumns('Cover', 2)[0]).toEqual({ from: 0, columns: 2 })
    expect(gridColumns('Cover', 2).at(-1)).toEqual({ from: 1600, columns: 5 })
  })

  test.each(LAYOUTS)('never lose a column when the window grows: %s', (layout) => {
    for (const perRow of [1, 2, 3] as const) {
      const steps = gridColumns(layout, perRow)
      expect(steps[0]?.from).toBe(0)
      expect(steps.map(({ from }) => from)).toEqual(steps.map(({ from }) => from).toSorted((a, b) => a - b))
      expect(steps.map(({ columns }) => columns)).toEqual(
        steps.map(({ columns }) => columns).toSorted((a, b) => a - b),
      )
    }
  })
})

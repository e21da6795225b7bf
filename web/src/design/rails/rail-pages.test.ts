import { LAYOUT } from '@ondine/contract/constants'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  glideShare,
  hasControls,
  nextPage,
  pageStarts,
  previousPage,
  type RailGeometry,
  showCard,
} from './rail-pages.ts'

/** Builds a rail of `count` cards of 100 px with gaps of 10 px, in a view of `viewWidth` px. */
function rail(count: number, viewWidth: number, cardWidth = 100): RailGeometry {
  const starts = Array.from({ length: count }, (_, index) => index * (cardWidth + 10))
  const length = count * (cardWidth + 10) - 10
  return { starts, cardWidth, viewWidth, end: Math.max(0, length - viewWidth) }
}

describe('pages of a rail', () => {
  test('the next page begins with the card that was cut off', () => {
    expect(nextPage(0, rail(20, 380))).toBe(330)
    expect(nextPage(330, rail(20, 380))).toBe(660)
  })

  test('the last page ends with the last card', () => {
    const ten = rail(10, 380)
    expect(nextPage(660, ten)).toBe(ten.end)
    expect(nextPage(ten.end, ten)).toBe(ten.end)
  })

  test('the previous page ends with the card before the first visible one', () => {
    expect(previousPage(660, rail(20, 380))).toBe(330)
    expect(previousPage(330, rail(20, 380))).toBe(0)
    expect(previousPage(0, rail(20, 380))).toBe(0)
  })

  test('a rail that fits has one page', () => {
    expect(pageStarts(rail(3, 380))).toEqual([0])
    expect(pageStarts(rail(0, 380))).toEqual([0])
  })

  test('a card wider than the window is a page of its own', () => {
    const wide = rail(3, 300, 400)
    expect(pageStarts(wide)).toEqual([0, 410, 820, wide.end])
    expect(previousPage(820, wide)).toBe(410)
  })

  test('every card is fully visible on some page, forwards and backwards', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 110, max: 2000 }),
        (count, viewWidth) => {
          const geometry = rail(count, viewWidth)
          const back = [geometry.end]
          while ((back.at(-1) ?? 0) > 0) back.push(previousPage(back.at(-1) ?? 0, geometry))
          for (const pages of [pageStarts(geometry), back]) {
            const unseen = geometry.starts.filter(
              (start) => !pages.some((page) => start >= page - 2 && start + 100 <= page + viewWidth + 2),
            )
            expect(unseen).toEqual([])
          }
        },
      ),
    )
  })
})

describe('a focused card', () => {
  const geometry = rail(20, 380)
  test.each([
    ['is visible already', 2, 0, 0],
    ['is cut off at the end', 3, 0, 110],
    ['is before the visible ones', 1, 330, 110],
    ['is the first', 0, 330, 0],
    ['is the last', 19, 0, geometry.end],
    ['does not exist', 99, 330, 330],
  ])('%s', (_name, index, position, target) => {
    expect(showCard(index, position, geometry)).toBe(target)
  })
})

test.each([
  [1024, false, true],
  [1023, false, false],
  [1023, true, true],
  [360, true, true],
])('V9-09 in a window of %d px, pages shown: %s, a rail has controls: %s', (width, pagination, expected) => {
  expect(hasControls(width, pagination)).toBe(expected)
})

test('V9-09 a glide takes 600 ms, and neither overshoots nor turns back', () => {
  expect(LAYOUT.sliderMs).toBe(600)
  expect([glideShare(-5), glideShare(0), glideShare(300), glideShare(600), glideShare(9000)]).toEqual([
    0, 0, 0.5, 1, 1,
  ])
  const shares = Array.from({ length: 61 }, (_, step) => glideShare(step * 10))
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(glideShare(599)).toBeLessThan(1)
})

import { describe, expect, it } from 'vitest'
import { coverage, playableWindow } from './playable-window.ts'

const CLEAN = { moralityLevel: 0, adult: false }
const STRONG = { moralityLevel: 5, adult: false }
const piece = (from: number, to: number, rating = CLEAN) => ({ from, to, rating })
const isBarred = ({ moralityLevel }: typeof CLEAN) => moralityLevel > 3

describe('the window of a recording', () => {
  const interval = { from: 90, to: 250 }
  const programme = { from: 100, to: 200 }

  it.each([
    ['the whole interval', [piece(0, 150), piece(150, 300)], { from: 90, to: 250 }],
    ['up to a gap', [piece(0, 170), piece(180, 300)], { from: 90, to: 170 }],
    [
      'from a gap on, if more of the programme is there',
      [piece(0, 120), piece(130, 300)],
      { from: 130, to: 250 },
    ],
    [
      'without barred neighbours',
      [piece(0, 100, STRONG), piece(100, 200), piece(200, 300, STRONG)],
      programme,
    ],
    ['from where the media begins', [piece(110, 300)], { from: 110, to: 250 }],
  ])('is %s', (_name, pieces, window) => {
    expect(playableWindow(pieces, interval, programme, isBarred)).toEqual(window)
  })

  it.each([
    ['nothing', []],
    ['only neighbours', [piece(0, 100), piece(200, 300)]],
    ['only barred media', [piece(0, 300, STRONG)]],
  ])('does not exist with %s', (_name, pieces) => {
    expect(playableWindow(pieces, interval, programme, isBarred)).toBeUndefined()
  })
})

it('the coverage of a programme counts its media, not that of its neighbours', () => {
  const programme = { from: 100, to: 200 }
  expect(
    coverage(
      [
        { from: 0, to: 150 },
        { from: 180, to: 300 },
      ],
      programme,
    ),
  ).toBe(70)
  expect(coverage([{ from: 0, to: 100 }], programme)).toBe(0)
})

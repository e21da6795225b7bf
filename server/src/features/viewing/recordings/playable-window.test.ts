import { describe, expect, it } from 'vitest'
import { coverage, playableWindow } from './playable-window.ts'

const CLEAN = { moralityLevel: 0, adult: false }
const STRONG = { moralityLevel: 5, adult: false }
const piece = (from: number, to: number, { rating = CLEAN, isJoined = true, isSlate = false } = {}) => ({
  from,
  to,
  rating,
  isJoined,
  isSlate,
  isRecordingForbidden: false,
  liveUntil: 0,
})
/** Media after a gap that interrupts the Timeline. */
const apart = { isJoined: false }
const isBarred = ({ rating }: { rating: typeof CLEAN }) => rating.moralityLevel > 3

describe('the window of a recording', () => {
  const interval = { from: 90, to: 250 }
  const programme = { from: 100, to: 200 }

  it.each([
    ['the whole interval', [piece(0, 150), piece(150, 300)], { from: 90, to: 250 }],
    [
      'the whole interval, across a gap of a live channel',
      [piece(0, 120), piece(130, 300)],
      { from: 90, to: 250 },
    ],
    ['up to a hole', [piece(0, 170), piece(180, 300, apart)], { from: 90, to: 170 }],
    [
      'from a hole on, if more of the programme is there',
      [piece(0, 120), piece(130, 300, apart)],
      { from: 130, to: 250 },
    ],
    [
      'without barred neighbours',
      [piece(0, 100, { rating: STRONG }), piece(100, 200), piece(200, 300, { rating: STRONG })],
      programme,
    ],
    ['from where the media begins', [piece(110, 300)], { from: 110, to: 250 }],
  ])('is %s', (_name, pieces, window) => {
    expect(playableWindow(pieces, interval, programme, isBarred)).toEqual(window)
  })

  it.each([
    ['nothing', []],
    ['only neighbours', [piece(0, 100), piece(200, 300)]],
    ['only barred media', [piece(0, 300, { rating: STRONG })]],
  ])('does not exist with %s', (_name, pieces) => {
    expect(playableWindow(pieces, interval, programme, isBarred)).toBeUndefined()
  })
})

it('the coverage of a programme counts its own media, but neither its neighbours nor a slate', () => {
  const programme = { from: 100, to: 200 }
  expect(coverage([piece(0, 150), piece(180, 300)], programme)).toBe(70)
  expect(coverage([piece(0, 150), piece(150, 180, { isSlate: true }), piece(180, 300)], programme)).toBe(70)
  expect(coverage([piece(0, 100)], programme)).toBe(0)
})

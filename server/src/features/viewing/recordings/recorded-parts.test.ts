import { expect, it } from 'vitest'
import type { Break } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { partsOf, withoutBreaks } from './recorded-parts.ts'
import { resultOf } from './recordings.service.ts'

const piece = (from: number, to: number, isJoined = true) => ({
  from,
  to,
  rating: { moralityLevel: 0, adult: false },
  isJoined,
  isSlate: false,
  isRecordingForbidden: false,
  liveUntil: 0,
})
const settings = { RECORDING_MISSING_PERCENT: 20 } as Parameters<typeof resultOf>[3]

it.each<[string, Break[], { from: number; to: number }[]]>([
  ['no break', [], [{ from: 0, to: 100 }]],
  [
    'two breaks',
    [
      [20, 30],
      [50, 60],
    ],
    [
      { from: 0, to: 20 },
      { from: 30, to: 50 },
      { from: 60, to: 100 },
    ],
  ],
  ['a break that begins after the viewer stopped', [[110, 120]], [{ from: 0, to: 100 }]],
  ['a break in which the viewer stopped', [[90, 120]], [{ from: 0, to: 90 }]],
])('the parts of a programme with %s', (_name, breaks, parts) => {
  expect(partsOf({ from: 0, to: 100 }, breaks)).toEqual(parts)
})

it('pieces continue across a break, unless the Timeline is interrupted in the break', () => {
  const breaks: Break[] = [[20, 30]]
  const kept = (...pieces: ReturnType<typeof piece>[]) =>
    withoutBreaks(pieces, breaks).map(({ from, isJoined }) => [from, isJoined])
  expect(kept(piece(0, 20, false), piece(20, 30), piece(30, 40))).toEqual([
    [0, false],
    [30, true],
  ])
  expect(kept(piece(0, 20, false), piece(20, 30, false), piece(30, 40))).toEqual([
    [0, false],
    [30, false],
  ])
})

it('the first segment of a piece decides whether it belongs to a break, however long the piece is', () => {
  const breaks: Break[] = [[10_000, 20_000]]
  const kept = (...pieces: ReturnType<typeof piece>[]) =>
    withoutBreaks(pieces, breaks).map(({ from }) => from)
  expect(kept(piece(4000, 6000), piece(9500, 11_500), piece(19_500, 21_500))).toEqual([4000, 19_500])
  expect(kept(piece(4000, 30_000), piece(9500, 40_000), piece(19_500, 60_000))).toEqual([4000, 19_500])
})

it('spec 52: media between the parts of a programme counts neither as present nor as missing', () => {
  const breaks: Break[] = [[40, 60]]
  const result = (...pieces: ReturnType<typeof piece>[]) =>
    resultOf(
      pieces,
      { from: 0, to: 100_000 },
      breaks.map(([from, to]) => [from * 1000, to * 1000]),
      settings,
    )
  expect(result(piece(0, 40_000), piece(60_000, 100_000))).toEqual({ missingSeconds: 0, failed: false })
  expect(result(piece(0, 60_000), piece(80_000, 100_000))).toEqual({ missingSeconds: 20, failed: true })
  // A piece across the end of a break is left out, so the beginning of the next part is missing.
  expect(result(piece(0, 40_000), piece(40_000, 70_000), piece(70_000, 100_000))).toEqual({
    missingSeconds: 10,
    failed: false,
  })
})

it('spec 52: while a programme runs, only its past can be missing, of the length of the whole', () => {
  const breaks: Break[] = [[20_000, 40_000]]
  const until = (time: number, ...pieces: ReturnType<typeof piece>[]) =>
    resultOf(pieces, { from: 0, to: 120_000 }, breaks, settings, time)
  expect(until(-10_000)).toEqual({ missingSeconds: 0, failed: false })
  expect(until(30_000)).toEqual({ missingSeconds: 20, failed: false })
  expect(until(41_000)).toEqual({ missingSeconds: 21, failed: true })
  expect(until(60_000, piece(0, 20_000), piece(45_000, 80_000))).toEqual({ missingSeconds: 5, failed: false })
})

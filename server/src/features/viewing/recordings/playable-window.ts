import type { Interval } from '../../inventory/recorded-programmes/pinned-intervals.service.ts'
import type { RatedPiece } from '../../streams/on-air/on-air.service.ts'

/**
 * Returns the part of a recording that a viewer can play without interruption. A player stops when the service refuses
 * one key of its manifest. So the part contains no neighbouring media that the viewer may not see or that the guide
 * forbids. If there are several such parts, returns the part with the most media of the programme.
 *
 * @param pieces the media of the interval, in order of time
 * @returns undefined if no media of the programme can be played
 */
export function playableWindow(
  pieces: readonly RatedPiece[],
  interval: Interval,
  programme: Interval,
  isBarred: (piece: RatedPiece) => boolean,
): Interval | undefined {
  const parts: (Interval & { covered: number })[] = []
  let last: (typeof parts)[number] | undefined
  for (const piece of pieces) {
    const { from, to, isJoined } = piece
    const covered = overlap({ from, to }, programme)
    if (isBarred(piece)) last = undefined
    else if (last && isJoined) {
      last.to = to
      last.covered += covered
    } else parts.push((last = { from, to, covered }))
  }
  const most = Math.max(0, ...parts.map((part) => part.covered))
  const best = parts.find((part) => part.covered === most)
  if (most === 0 || best === undefined) return undefined
  return { from: Math.max(best.from, interval.from), to: Math.min(best.to, interval.to) }
}

/**
 * Returns for how much of a programme there is media, in milliseconds. The slate of a silent input does not count.
 */
export function coverage(pieces: readonly RatedPiece[], programme: Interval): number {
  return pieces.reduce((sum, piece) => (piece.isSlate ? sum : sum + overlap(piece, programme)), 0)
}

function overlap(one: Interval, other: Interval): number {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from))
}

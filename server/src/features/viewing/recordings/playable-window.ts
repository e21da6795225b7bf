import type { Interval } from '../../inventory/recorded-programmes/pinned-intervals.service.ts'
import type { Rated } from '../../rights/entitlements/entitlements.service.ts'
import type { RatedPiece } from '../../streams/on-air/on-air.service.ts'

/**
 * Returns the part of a recording that a viewer can play: without a gap, and without the neighbours that the viewer
 * may not see, because a player stops when it is refused one key of its manifest. Of several such parts, returns the
 * one with the most of the programme.
 *
 * @param pieces the media of the interval, in order of time
 * @returns undefined if none of the programme can be played
 */
export function playableWindow(
  pieces: readonly RatedPiece[],
  interval: Interval,
  programme: Interval,
  isBarred: (rating: Rated) => boolean,
): Interval | undefined {
  const parts: Interval[] = []
  let last: Interval | undefined
  for (const { from, to, rating } of pieces) {
    if (isBarred(rating)) last = undefined
    else if (last?.to === from) last.to = to
    else parts.push((last = { from, to }))
  }
  const overlaps = parts.map((part) => overlap(part, programme))
  const most = Math.max(0, ...overlaps)
  const best = parts[overlaps.indexOf(most)]
  if (most === 0 || best === undefined) return undefined
  return { from: Math.max(best.from, interval.from), to: Math.min(best.to, interval.to) }
}

/** Returns how much of a programme has media, in milliseconds. */
export function coverage(pieces: readonly Interval[], programme: Interval): number {
  return pieces.reduce((sum, piece) => sum + overlap(piece, programme), 0)
}

function overlap(one: Interval, other: Interval): number {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from))
}

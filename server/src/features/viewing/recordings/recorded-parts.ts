import type { Interval } from '../../inventory/recorded-programmes/pinned-intervals.service.ts'
import type { Break } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { isInHole } from '../../streams/on-air/holes.service.ts'
import type { RatedPiece } from '../../streams/on-air/on-air.service.ts'

/** Returns the parts of a programme between its breaks, in order of time. */
export function partsOf({ from, to }: Interval, breaks: readonly Break[]): Interval[] {
  const starts = [from, ...breaks.map(([, end]) => Math.max(from, end))]
  const ends = [...breaks.map(([start]) => Math.min(to, start)), to]
  return starts
    .map((start, index) => ({ from: start, to: ends[index] ?? to }))
    .filter((part) => part.from < part.to)
}

/** Leaves out the media of the breaks. The Timeline continues across a break, as across a gap. */
export function withoutBreaks(pieces: readonly RatedPiece[], breaks: readonly Break[]): RatedPiece[] {
  let isJoined = true
  return pieces.flatMap((piece) => {
    isJoined &&= piece.isJoined
    if (isInHole(piece.from, piece.to, breaks)) return []
    const kept = { ...piece, isJoined }
    isJoined = true
    return [kept]
  })
}

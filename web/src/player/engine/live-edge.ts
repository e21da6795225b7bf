import { PLAYER } from '@ondine/contract/constants'

/** The range in which seeking is possible, in seconds of the presentation. */
export interface SeekRange {
  start: number
  end: number
}

/** Returns whether playback is far enough behind the live edge to offer a button back to live: 2 s or more (V4-43). */
export function isBehindLive(position: number, liveEdge: number): boolean {
  return liveEdge - position >= PLAYER.backToLiveThresholdSeconds
}

/**
 * Returns the position of the slider in percent, on a live stream that plays behind the live edge. From 98 percent on,
 * the slider is at 100, the live edge (V4-45).
 */
export function snapLivePercent(percent: number): number {
  return percent >= PLAYER.liveSnapPercent ? 100 : percent
}

/**
 * Returns `position`, limited to the range; undefined when `position` is too far outside. A position up to 2 s outside
 * either end counts (V4-43), because the window moves while a request is under way.
 */
export function seekable(position: number, range: SeekRange): number | undefined {
  const tolerance = PLAYER.timeshiftGapToleranceSeconds
  if (position < range.start - tolerance || position > range.end + tolerance) return undefined
  return Math.min(range.end, Math.max(range.start, position))
}

/** Returns whether a live event is over at `now`, in seconds since the Unix epoch (V4-44). */
export function isOver(endsAt: number | null, now: number): boolean {
  return endsAt !== null && now > endsAt
}

import { PLAYER } from '@ondine/contract/constants'

/** The range in which seeking is possible, in seconds of the presentation. */
export interface SeekRange {
  start: number
  end: number
}

/**
 * Returns whether playback is at least 2 s behind the live edge, so that the player offers a button back to live
 * (V4-43).
 */
export function isBehindLive(position: number, liveEdge: number): boolean {
  return liveEdge - position >= PLAYER.backToLiveThresholdSeconds
}

/**
 * Returns the position of the slider on a live stream, in percent. From 98 percent on, the slider snaps to 100
 * percent, the live edge (V4-45).
 */
export function snapLivePercent(percent: number): number {
  return percent >= PLAYER.liveSnapPercent ? 100 : percent
}

/**
 * Limits `position` to the range. Returns undefined if `position` is more than 2 s outside the range (V4-43). The
 * tolerance is needed because the window moves while a request is under way.
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

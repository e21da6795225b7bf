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

/** The earliest time that a live edge can have: the year 2000, in seconds since the Unix epoch. */
const EARLIEST_EDGE = Date.UTC(2000) / 1000

/**
 * Returns the seconds from the Unix epoch to the zero of a live presentation that begins at `start`. Null if the stream
 * has no wall clock: Shaka lets an HLS stream without EXT-X-PROGRAM-DATE-TIME begin in 1970, and so its live edge is in
 * 1970 as well. The presentations of Ondine's own channels also begin in 1970, but their live edge is the present.
 */
export function epochOf(start: Date | null, liveEdge: number): number | null {
  if (start === null) return null
  const epoch = start.getTime() / 1000
  return epoch + liveEdge < EARLIEST_EDGE ? null : epoch
}

/** Returns whether a live event is over at `now`, in seconds since the Unix epoch (V4-44). */
export function isOver(endsAt: number | null, now: number): boolean {
  return endsAt !== null && now > endsAt
}

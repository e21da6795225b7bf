import { PLAYER } from '@ondine/contract/constants'

/** From where to where one can go, in seconds of the presentation. */
export interface SeekRange {
  start: number
  end: number
}

/** Whether playback is so far behind the live edge that the way back is offered: from 2 s on (V4-43). */
export function isBehindLive(position: number, liveEdge: number): boolean {
  return liveEdge - position >= PLAYER.backToLiveThresholdSeconds
}

/** Where a slider of shifted live playback stands, in percent: from 98 on it is at the edge, which is 100 (V4-45). */
export function snapLivePercent(percent: number): number {
  return percent >= PLAYER.liveSnapPercent ? 100 : percent
}

/**
 * `position` if one can seek there, else undefined. Gaps of up to 2 s at either end are tolerated (V4-43): the
 * window moves while a request is under way.
 */
export function seekable(position: number, range: SeekRange): number | undefined {
  const tolerance = PLAYER.timeshiftGapToleranceSeconds
  if (position < range.start - tolerance || position > range.end + tolerance) return undefined
  return Math.min(range.end, Math.max(range.start, position))
}

/** Whether a live event is over at `now`, in seconds since the Unix epoch (V4-44). */
export function isOver(endsAt: number | null, now: number): boolean {
  return endsAt !== null && now > endsAt
}

import { type Segments, segmentAt } from '../content/segments.ts'

/** The input of the rule that decides when to offer the next asset. */
export interface BingeSituation {
  position: number
  durationSeconds: number
  segments: Segments
  hasNext: boolean
  dismissed: boolean
  /** Whether an advertisement is playing. */
  ad: boolean
  /** Configured time before the end at which the player offers the next asset, in seconds. */
  timingSeconds: number
}

/**
 * Returns whether to offer the next asset now (V4-37). There must be a next asset that the viewer has not
 * dismissed, and no advertisement may be playing. The offer is due when less than the configured time remains, or
 * during the credits.
 */
export function isBingeDue(situation: BingeSituation): boolean {
  const { position, durationSeconds, segments, hasNext, dismissed, ad, timingSeconds } = situation
  if (!hasNext || dismissed || ad || durationSeconds <= 0) return false
  return durationSeconds - position < timingSeconds || segmentAt(segments.credits, position) !== undefined
}

/**
 * Returns the length of the countdown, in seconds (V4-38): the configured time, or the remaining time if that is
 * shorter.
 */
export function bingeCountdown({ position, durationSeconds, timingSeconds }: BingeSituation): number {
  return Math.max(1, Math.min(timingSeconds, Math.ceil(durationSeconds - position)))
}

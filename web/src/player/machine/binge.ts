import { type Segments, segmentAt } from '../content/segments.ts'

/** The input of the binge rule. */
export interface BingeSituation {
  position: number
  durationSeconds: number
  segments: Segments
  hasNext: boolean
  dismissed: boolean
  /** Whether an advertisement is playing. */
  ad: boolean
  /** Configured seconds before the end at which the next asset is offered. */
  timingSeconds: number
}

/**
 * Returns whether the next asset is offered now: there is a next asset, the viewer has not dismissed it, no
 * advertisement is playing, and either less than the configured time is left or the credits are playing
 * (V4-37).
 */
export function isBingeDue(situation: BingeSituation): boolean {
  const { position, durationSeconds, segments, hasNext, dismissed, ad, timingSeconds } = situation
  if (!hasNext || dismissed || ad || durationSeconds <= 0) return false
  return durationSeconds - position < timingSeconds || segmentAt(segments.credits, position) !== undefined
}

/**
 * Returns the start of the countdown in seconds (V4-38): the configured time, or the remaining time if that is shorter.
 */
export function bingeCountdown({ position, durationSeconds, timingSeconds }: BingeSituation): number {
  return Math.max(1, Math.min(timingSeconds, Math.ceil(durationSeconds - position)))
}

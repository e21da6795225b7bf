import { type Segments, segmentAt } from './segments.ts'

/** What the binge rule looks at. */
export interface BingeSituation {
  position: number
  durationSeconds: number
  segments: Segments
  hasNext: boolean
  dismissed: boolean
  /** Whether an advertisement runs. */
  ad: boolean
  /** Seconds before the end at which the next asset is offered, as the operator configures it. */
  timingSeconds: number
}

/**
 * Whether the next asset is offered: there is one, it was not dismissed, no advertisement runs, and either less than
 * the configured time is left or the credits are running (V4-37).
 */
export function isBingeDue(situation: BingeSituation): boolean {
  const { position, durationSeconds, segments, hasNext, dismissed, ad, timingSeconds } = situation
  if (!hasNext || dismissed || ad || durationSeconds <= 0) return false
  return durationSeconds - position < timingSeconds || segmentAt(segments.credits, position) !== undefined
}

/** Seconds that the countdown begins with (V4-38): the configured time, or what is left if that is less. */
export function bingeCountdown({ position, durationSeconds, timingSeconds }: BingeSituation): number {
  return Math.max(1, Math.min(timingSeconds, Math.ceil(durationSeconds - position)))
}

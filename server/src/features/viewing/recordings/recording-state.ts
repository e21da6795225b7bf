import { CONTINUE_WATCHING } from '@ondine/contract/constants'
import type { RecordingState } from '@ondine/contract/recording-states'
import type { Interval } from '../../inventory/recorded-programmes/pinned-intervals.service.ts'

const DAY_MS = 86_400_000

/** Fields that decide the state of a recording. Times are milliseconds since the Unix epoch. */
export interface Recorded {
  startsAt: number
  endsAt: number
  pinnedFrom: number
  pinnedTo: number
  failed: boolean
  withheldAt: number | null
  stoppedAt: number | null
  watchedTo: number | null
  playingUntil: number | null
}

/** Returns the interval of a recording: the pinned interval, but only up to the stop of a stopped recording. */
export function intervalOf({
  pinnedFrom,
  pinnedTo,
  stoppedAt,
}: Pick<Recorded, 'pinnedFrom' | 'pinnedTo' | 'stoppedAt'>): Interval {
  return { from: pinnedFrom, to: Math.min(pinnedTo, stoppedAt ?? pinnedTo) }
}

/** Returns the state of a recording at a time (A4.2-04). The state is computed from the clock, never stored. */
export function stateOf(recorded: Recorded, now: number): RecordingState {
  if (recorded.withheldAt !== null) return 'withheld'
  if (recorded.failed) return 'failed'
  const { from, to } = intervalOf(recorded)
  if (now < from) return 'planned'
  const isPlaying = recorded.playingUntil !== null && now < recorded.playingUntil
  if (now < to) return isPlaying ? 'recordingPlaying' : 'recording'
  if (isPlaying) return 'playing'
  return isPlayed(recorded) ? 'played' : 'recorded'
}

/** Returns whether the profile has watched a programme to its end, or nearly. */
function isPlayed(recorded: Watched): boolean {
  return watchedPercent(recorded) > CONTINUE_WATCHING.max
}

/** Fields that decide which part of a recording the profile has watched. */
type Watched = Pick<Recorded, 'startsAt' | 'endsAt' | 'stoppedAt' | 'watchedTo'>

/**
 * Returns how far the profile has watched a programme, in percent. Negative in the margin before the programme, and 0
 * for a recording that was never played.
 */
function watchedPercent({ startsAt, endsAt, stoppedAt, watchedTo }: Watched): number {
  const length = Math.min(endsAt, stoppedAt ?? endsAt) - startsAt
  return watchedTo === null || length <= 0 ? 0 : ((watchedTo - startsAt) / length) * 100
}

/**
 * Returns whether the position of a recording is within the bounds of {@link CONTINUE_WATCHING}, and the profile has
 * not removed the recording from Continue watching since it was watched.
 */
export function isInProgress(
  recorded: Watched & { watchedAt: number | null; unlistedAt: number | null },
): boolean {
  const { watchedAt, unlistedAt } = recorded
  if (unlistedAt !== null && (watchedAt === null || watchedAt <= unlistedAt)) return false
  const percent = watchedPercent(recorded)
  return percent >= CONTINUE_WATCHING.min && percent <= CONTINUE_WATCHING.max
}

/** Returns whether a recording in this state has something to play. */
export function isPlayable(state: RecordingState): boolean {
  return state !== 'planned' && state !== 'withheld' && state !== 'failed'
}

/** Days for which recordings are kept; undefined without a limit. */
type KeepDays = number | undefined

/**
 * Maximum number of days for which a failed recording is kept. Its owner sees the failure, and its media stays
 * pinned.
 */
const FAILED_KEEP_DAYS = 30

/**
 * Returns when a finished recording is deleted; null if it is kept. The time counts from the end of the pinned
 * interval, or from the request if that came later.
 */
export function expiryOf(
  { pinnedTo, createdAt, failed }: { pinnedTo: number; createdAt: Date; failed: boolean },
  keepDays: KeepDays,
): number | null {
  const days = failed ? Math.min(FAILED_KEEP_DAYS, keepDays ?? FAILED_KEEP_DAYS) : keepDays
  return days === undefined ? null : Math.max(pinnedTo, createdAt.getTime()) + days * DAY_MS
}

/** Times before which recordings must have ended to be deleted now. Milliseconds since the Unix epoch. */
export interface ExpiredBefore {
  failed: number
  /** Null if recordings that have not failed are kept. */
  all: number | null
}

export function expiredBefore(keepDays: KeepDays, now: number): ExpiredBefore {
  return {
    failed: now - FAILED_KEEP_DAYS * DAY_MS,
    all: keepDays === undefined ? null : now - keepDays * DAY_MS,
  }
}

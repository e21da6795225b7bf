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
  stoppedAt: number | null
  watchedTo: number | null
  playingUntil: number | null
}

/** Returns the interval of a recording: the pinned one, up to where the profile stopped it. */
export function intervalOf({
  pinnedFrom,
  pinnedTo,
  stoppedAt,
}: Pick<Recorded, 'pinnedFrom' | 'pinnedTo' | 'stoppedAt'>): Interval {
  return { from: pinnedFrom, to: Math.min(pinnedTo, stoppedAt ?? pinnedTo) }
}

/** Returns the state of a recording (A4.2-04). It needs no stored state, because the clock decides. */
export function stateOf(recorded: Recorded, now: number): RecordingState {
  if (recorded.failed) return 'failed'
  const { from, to } = intervalOf(recorded)
  if (now < from) return 'planned'
  const isPlaying = recorded.playingUntil !== null && now < recorded.playingUntil
  if (now < to) return isPlaying ? 'recordingPlaying' : 'recording'
  if (isPlaying) return 'playing'
  return isPlayed(recorded) ? 'played' : 'recorded'
}

/** Returns whether the profile has watched as good as all of a programme. */
function isPlayed({ startsAt, endsAt, stoppedAt, watchedTo }: Recorded): boolean {
  if (watchedTo === null) return false
  const length = Math.min(endsAt, stoppedAt ?? endsAt) - startsAt
  return watchedTo - startsAt > (length * CONTINUE_WATCHING.max) / 100
}

/** Days for which recordings are kept; undefined without a limit. */
type KeepDays = number | undefined

/**
 * Returns when a finished recording is deleted; null if it is kept. The time counts from the end of the pinned interval,
 * or from the request if that came later.
 */
export function expiryOf(
  { pinnedTo, createdAt }: { pinnedTo: number; createdAt: Date },
  keepDays: KeepDays,
): number | null {
  return keepDays === undefined ? null : Math.max(pinnedTo, createdAt.getTime()) + keepDays * DAY_MS
}

/** Returns the time before which a recording must have ended to be deleted now; null if all are kept. */
export function expiredBefore(keepDays: KeepDays, now: number): number | null {
  return keepDays === undefined ? null : now - keepDays * DAY_MS
}

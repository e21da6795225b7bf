import { CONTINUE_WATCHING } from '@ondine/contract/constants'
import type { RecordingState } from '@ondine/contract/recording-states'
import type { Interval } from '../../inventory/recorded-programmes/pinned-intervals.service.ts'

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

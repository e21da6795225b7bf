import { recordedStateOf } from '@ondine/contract/recording-states'
import type { Recording } from '@ondine/contract/recordings'

/** The fields of a recording that determine the next recording. */
export type Ordered = Pick<
  Recording,
  'id' | 'title' | 'subtitle' | 'season' | 'episode' | 'startutc' | 'state'
>

/**
 * Returns the recording of the next episode: the next by season and episode, or by time if an episode number is
 * missing. Undefined after the last episode, and for a programme that is not an episode.
 */
export function nextRecording<R extends Ordered>(recordings: readonly R[], current: Ordered): R | undefined {
  if (!isEpisode(current)) return undefined
  return recordings
    .filter((each) => each.title === current.title && isPlayable(each) && compare(each, current) > 0)
    .toSorted(compare)[0]
}

function isEpisode({ episode, subtitle }: Ordered): boolean {
  return episode !== null || subtitle !== ''
}

function isPlayable({ state }: Ordered): boolean {
  const recorded = recordedStateOf(state)
  return recorded === 'recorded' || recorded === 'recording'
}

function compare(one: Ordered, other: Ordered): number {
  if (one.episode === null || other.episode === null) return one.startutc - other.startutc
  return (one.season ?? 0) - (other.season ?? 0) || one.episode - other.episode
}

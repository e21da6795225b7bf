/**
 * States of a recording (A4.2-04). `withheld`: the guide forbids the recording. It gives no media until the guide
 * allows it again. The last three states replace `recording` and `recorded` while the recording plays, or after it was
 * played.
 */
export const RECORDING_STATES = [
  'planned',
  'recording',
  'recorded',
  'failed',
  'withheld',
  'recordingPlaying',
  'playing',
  'played',
] as const
export type RecordingState = (typeof RECORDING_STATES)[number]

/** The second reading of A4.2-04: the state of a recording without its playback. */
export type RecordedState = Extract<RecordingState, 'planned' | 'recording' | 'recorded' | 'failed'>

/** Returns the state of a recording without its playback. */
export function recordedStateOf(state: RecordingState): RecordedState {
  if (state === 'recordingPlaying') return 'recording'
  if (state === 'withheld') return 'planned'
  return state === 'playing' || state === 'played' ? 'recorded' : state
}

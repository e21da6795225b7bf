/**
 * States of a recording (A4.2-04). `withheld`: the guide forbids the recording, and nobody can play it until the
 * guide allows it again. The last three states replace `recording` and `recorded` during and after playback.
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

/** The state of a recording without regard to its playback (second interpretation of A4.2-04). */
export type RecordedState = Extract<RecordingState, 'planned' | 'recording' | 'recorded' | 'failed'>

/** Returns the state of a recording without regard to its playback. */
export function recordedStateOf(state: RecordingState): RecordedState {
  if (state === 'recordingPlaying') return 'recording'
  if (state === 'withheld') return 'planned'
  return state === 'playing' || state === 'played' ? 'recorded' : state
}

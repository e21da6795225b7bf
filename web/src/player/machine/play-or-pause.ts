import type { PlayerMachineEvent } from './player-context.ts'
import type { PlayerSnapshot } from './player-machine.ts'

/** Returns whether playback is stopped, by the viewer or by the end of the content. */
export function isStopped({ value }: Pick<PlayerSnapshot, 'value'>): boolean {
  return value.playback === 'paused' || value.playback === 'ended'
}

/**
 * Returns the event of the player that plays or pauses. Undefined if the player is already in the requested state,
 * so that a repeated command does not reverse the first one.
 */
export function playOrPause(
  command: 'play' | 'pause',
  snapshot: Pick<PlayerSnapshot, 'value'>,
): PlayerMachineEvent | undefined {
  return isStopped(snapshot) === (command === 'play') ? { type: 'togglePlay' } : undefined
}

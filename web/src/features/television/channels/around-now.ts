import type { Programme } from '@ondine/contract/entities'
import { liveState } from '../../../design/time/live-state.ts'

/** The current, previous and next programme, undefined if they are not among the known programmes. */
export interface AroundNow {
  previous: Programme | undefined
  current: Programme | undefined
  next: Programme | undefined
}

/** Returns the programmes around `now` of a channel's programmes, which are in order of time. `now` is in seconds since the Unix epoch. */
export function aroundNow(programmes: readonly Programme[], now: number): AroundNow {
  return {
    previous: programmes.findLast((programme) => liveState(programme, now) === 'done'),
    current: programmes.find((programme) => liveState(programme, now) === 'live'),
    next: programmes.find((programme) => liveState(programme, now) === 'starts'),
  }
}

/**
 * Returns whether the window of the guide lacks the previous or the next programme, because the current one
 * is long. They must then be fetched.
 */
export function needsNeighbours({ previous, current, next }: AroundNow): boolean {
  return current !== undefined && (previous === undefined || next === undefined)
}

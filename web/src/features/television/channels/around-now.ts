import type { Programme } from '@ondine/contract/entities'
import { liveState } from '../../../design/time/live-state.ts'

/**
 * The current programme of a channel, and the programmes before and after it. A programme that was not fetched is
 * undefined.
 */
export interface AroundNow {
  previous: Programme | undefined
  current: Programme | undefined
  next: Programme | undefined
}

/**
 * Finds the current programme of a channel and its neighbours at `now`, in seconds since the Unix epoch. `programmes`
 * must be sorted by time.
 */
export function aroundNow(programmes: readonly Programme[], now: number): AroundNow {
  return {
    previous: programmes.findLast((programme) => liveState(programme, now) === 'done'),
    current: programmes.find((programme) => liveState(programme, now) === 'live'),
    next: programmes.find((programme) => liveState(programme, now) === 'starts'),
  }
}

/**
 * Returns whether the previous or the next programme must be fetched separately. This happens if the current
 * programme is long.
 */
export function needsNeighbours({ previous, current, next }: AroundNow): boolean {
  return current !== undefined && (previous === undefined || next === undefined)
}

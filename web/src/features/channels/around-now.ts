import type { Programme } from '@ondine/contract/entities'
import { liveState } from '../../design/live-state.ts'

/** What is on, and what is before and after it, as far as it is among the programmes that are known. */
export interface AroundNow {
  previous: Programme | undefined
  current: Programme | undefined
  next: Programme | undefined
}

/** What of a channel's programmes, in order of time, is around `now`. Seconds since the Unix epoch. */
export function aroundNow(programmes: readonly Programme[], now: number): AroundNow {
  return {
    previous: programmes.findLast((programme) => liveState(programme, now) === 'done'),
    current: programmes.find((programme) => liveState(programme, now) === 'live'),
    next: programmes.find((programme) => liveState(programme, now) === 'starts'),
  }
}

/** Whether what is on lasts so long that it leaves the window of the guide no room for one of its neighbours, which are asked for then. */
export function needsNeighbours({ previous, current, next }: AroundNow): boolean {
  return current !== undefined && (previous === undefined || next === undefined)
}

import { createContext, use, useSyncExternalStore } from 'react'
import { elapsedShare, type Interval, type LiveState, liveState } from './live-state.ts'

/** The clock that a page goes by. One for a page: everything on it that moves reads it. */
export interface Clock {
  /** Calls back each second; returns how to end that. */
  everySecond: (changed: () => void) => () => void
  /** The time, in whole seconds since the epoch. */
  now: () => number
  /** The time at which the page was drawn by the server, in whole seconds since the epoch. */
  drawnAt: number
}

/** Provided at the root of the page. */
export const ClockContext = createContext<Clock | undefined>(undefined)

/** The time, in whole seconds since the epoch, moving each second. */
export function useNow(): number {
  const clock = useClock()
  return useSyncExternalStore(clock.everySecond, clock.now, () => clock.drawnAt)
}

/** What is so of something that runs, recomputed each second (V3-28); `share` is how far it has run, from 0 to 1. */
export interface Airing {
  state: LiveState
  share: number
}

/** The live state of an interval. What has none listens to no clock. */
export function useAiring(interval: Interval | undefined): Airing | undefined {
  const clock = useClock()
  const now = useSyncExternalStore(
    interval === undefined ? never : clock.everySecond,
    interval === undefined ? atNoTime : clock.now,
    interval === undefined ? atNoTime : () => clock.drawnAt,
  )
  return interval && { state: liveState(interval, now), share: elapsedShare(interval, now) }
}

/** The clock that the page goes by. */
export function useClock(): Clock {
  const clock = use(ClockContext)
  if (clock === undefined) throw new Error('Nothing above says what time it is')
  return clock
}

function never() {
  return () => {}
}

function atNoTime() {
  return 0
}

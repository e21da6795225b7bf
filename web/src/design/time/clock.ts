import { createContext, use, useSyncExternalStore } from 'react'
import { elapsedShare, type LiveState, liveState, type ShowingTimes } from './live-state.ts'

/** The clock of a page. All elements that change with time use this single clock, so that they change together. */
export interface Clock {
  /** Calls `changed` every second. Returns a function that stops the calls. */
  everySecond: (changed: () => void) => () => void
  /** Returns the time, in whole seconds since the Unix epoch. */
  now: () => number
  /** The time at which the server rendered the page, in whole seconds since the Unix epoch. */
  drawnAt: number
}

/** Provides the page's clock to all components. The root of the page sets it. */
export const ClockContext = createContext<Clock | undefined>(undefined)

/** Returns the time in whole seconds since the Unix epoch, updated each second. */
export function useNow(): number {
  const clock = useClock()
  return useSyncExternalStore(clock.everySecond, clock.now, () => clock.drawnAt)
}

/**
 * The live state of an interval, recomputed every second (V3-28). `share` is the elapsed fraction, from 0 to 1.
 */
export interface Airing {
  state: LiveState
  share: number
}

/** Returns the live state of an interval. If `interval` is undefined, does not subscribe to the clock. */
export function useAiring(interval: ShowingTimes | undefined): Airing | undefined {
  const clock = useClock()
  const now = useSyncExternalStore(
    interval === undefined ? never : clock.everySecond,
    interval === undefined ? atNoTime : clock.now,
    interval === undefined ? atNoTime : () => clock.drawnAt,
  )
  return interval && { state: liveState(interval, now), share: elapsedShare(interval, now) }
}

/** Returns the clock of the page. */
export function useClock(): Clock {
  const clock = use(ClockContext)
  if (clock === undefined) throw new Error('No ClockContext above this component')
  return clock
}

function never() {
  return () => {}
}

function atNoTime() {
  return 0
}

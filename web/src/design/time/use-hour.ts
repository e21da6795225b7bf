import { useSyncExternalStore } from 'react'
import { useClock } from './clock.ts'

const HOUR_SECONDS = 3600

/**
 * Returns the time rounded down to the hour, in seconds since the Unix epoch. Texts such as a number of days need
 * no higher precision. A page of cards that uses this time does not render every second.
 */
export function useHour(): number {
  const clock = useClock()
  const hour = (now: number) => Math.floor(now / HOUR_SECONDS) * HOUR_SECONDS
  return useSyncExternalStore(
    clock.everySecond,
    () => hour(clock.now()),
    () => hour(clock.drawnAt),
  )
}

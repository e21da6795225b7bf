import { use, useSyncExternalStore } from 'react'
import { ClockContext } from '../../design/clock.ts'

const HOUR_SECONDS = 3600

/**
 * The time in whole hours, in seconds since the epoch: what is counted in days asks for no more, and a page of cards is
 * then not drawn anew each second.
 */
export function useHour(): number {
  const clock = use(ClockContext)
  if (clock === undefined) throw new Error('Nothing above says what time it is')
  const hour = (now: number) => Math.floor(now / HOUR_SECONDS) * HOUR_SECONDS
  return useSyncExternalStore(
    clock.everySecond,
    () => hour(clock.now()),
    () => hour(clock.drawnAt),
  )
}

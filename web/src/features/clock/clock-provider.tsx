import { type ReactNode, useEffect, useState } from 'react'
import { type Clock, ClockContext } from '../../design/clock.ts'
import { browserClock, keepRight } from './browser-clock.ts'

/**
 * Tells everything below what time it is at the service: what is live is decided by its clock, not by the viewer's.
 *
 * @param made the service's time when the page was made, in seconds since the Unix epoch
 */
export function ClockProvider({ made, children }: { made: number; children: ReactNode }) {
  // One for all of a visit, also when somebody signs in: what shows the time is then not drawn anew.
  const [clock] = useState(
    (): Clock => ({
      everySecond: (changed) => browserClock(made * 1000).ticker.everySecond(changed),
      now: () => Math.floor(browserClock(made * 1000).service.now() / 1000),
      drawnAt: Math.floor(made),
    }),
  )
  useEffect(() => keepRight(browserClock(made * 1000)), [made])
  return <ClockContext value={clock}>{children}</ClockContext>
}

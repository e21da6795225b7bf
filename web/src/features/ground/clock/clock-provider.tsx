import { type ReactNode, useEffect, useState } from 'react'
import { type Clock, ClockContext } from '../../../design/time/clock.ts'
import { browserClock, keepRight } from './browser-clock.ts'

/**
 * Provides the service's clock to its children. Pages decide what is live by this clock, and not by the clock of the
 * viewer's device.
 *
 * @param made the service's time when the page was rendered, in seconds since the Unix epoch
 */
export function ClockProvider({ made, children }: { made: number; children: ReactNode }) {
  // The clock stays the same object for the whole visit, even after a sign-in. Otherwise, every component that shows a
  // time would render again.
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

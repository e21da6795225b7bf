import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { type Clock, ClockContext } from '../../design/clock.ts'
import { Ticker } from '../../design/ticker.ts'
import { sessionQuery, ViewerContext } from './session.ts'

/** Tells everything below who looks at the page, and what time it is at the service. */
export function ViewerProvider({ children }: { children: ReactNode }) {
  const { data: session, dataUpdatedAt } = useSuspenseQuery(sessionQuery)
  const viewer = useMemo(() => ({ session }), [session])
  // What is live is decided by the service's clock, not by the viewer's.
  const clock = useMemo((): Clock => {
    const ahead = session.now - dataUpdatedAt / 1000
    return {
      everySecond,
      now: () => Math.floor(Date.now() / 1000 + ahead),
      drawnAt: Math.floor(session.now),
    }
  }, [session, dataUpdatedAt])
  return (
    <ViewerContext value={viewer}>
      <ClockContext value={clock}>{children}</ClockContext>
    </ViewerContext>
  )
}

let ticker: Ticker | undefined

/** Only a browser listens to the clock. */
function everySecond(changed: () => void): () => void {
  ticker ??= new Ticker(document)
  return ticker.everySecond(changed)
}

import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { ClockProvider } from '../clock/clock-provider.tsx'
import { sessionQuery, ViewerContext } from './session.ts'

/** Tells everything below who looks at the page, and what time it is at the service. */
export function ViewerProvider({ children }: { children: ReactNode }) {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const viewer = useMemo(() => ({ session }), [session])
  return (
    <ViewerContext value={viewer}>
      <ClockProvider made={session.now}>{children}</ClockProvider>
    </ViewerContext>
  )
}

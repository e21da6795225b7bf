import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { ClockProvider } from '../../ground/clock/clock-provider.tsx'
import { sessionQuery, ViewerContext } from '../../ground/session/session.ts'
import { useRenewal } from './use-renewal.ts'
import { useUnansweredConsent } from './use-unanswered-consent.ts'
import { useViewerElsewhere } from './use-viewer-elsewhere.ts'

/** Provides the viewer's session and the service's clock to its children. */
export function ViewerProvider({ children }: { children: ReactNode }) {
  const { data: session } = useSuspenseQuery(sessionQuery)
  useRenewal(session)
  useViewerElsewhere(session)
  useUnansweredConsent(session)
  const viewer = useMemo(() => ({ session }), [session])
  return (
    <ViewerContext value={viewer}>
      <ClockProvider made={session.now}>{children}</ClockProvider>
    </ViewerContext>
  )
}

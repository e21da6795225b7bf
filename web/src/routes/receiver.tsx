import { createFileRoute, useHydrated } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ReceiverLayout } from '../shell/receiver-layout.tsx'
import { unlistedHead } from '../shell/route-head.ts'

const ReceiverScreen = lazy(() => import('../player/receiver/receiver-screen.tsx'))

export const Route = createFileRoute('/receiver')({
  head: ({ match }) => unlistedHead(match, 'receiver.title'),
  component: Screen,
})

/** The receiver of casting. Shows the waiting screen while the code of the player loads. */
function Screen() {
  const isHydrated = useHydrated()
  const waiting = <ReceiverLayout />
  if (!isHydrated) return waiting
  return (
    <Suspense fallback={waiting}>
      <ReceiverScreen idle={waiting} />
    </Suspense>
  )
}

import { lazy, Suspense, useEffect, useState } from 'react'
import { FaultBoundary } from '../design/page/fault-boundary.tsx'
import { reportFault } from '../features/ground/errors/report-fault.ts'
import { useSession } from '../features/ground/session/session.ts'
import { forgetScreen, isScreen } from '../features/people/devices/paired-screen.ts'
import { forgetCast, keptCast } from '../features/viewing/casting/kept-cast.ts'
import { hasConnected, useAccountScreens } from '../features/viewing/casting/use-account-screens.ts'
import { OfflineToaster } from './offline-toaster.tsx'

const MiniController = lazy(() => import('../features/viewing/casting/mini-controller.tsx'))
const ScreenOfAccount = lazy(() => import('./screen-of-account.tsx'))

/**
 * The parts of the default layout that a page does not need at once. Their code loads when the browser is idle.
 */
export default function LateParts() {
  const { account, profile } = useSession()
  // The state is read only once, because it changes only in the player and on the pairing screen, which have
  // another layout.
  const [isCasting] = useState(() => keptCast(profile?.id) !== undefined)
  const screens = useAccountScreens()
  // Once loaded, the mini-controller stays, because it shows when its screen is lost.
  const [hasController, setController] = useState(isCasting)
  if (!hasController && hasConnected(screens)) setController(true)
  const [isPairedScreen] = useState(isScreen)
  useEffect(() => {
    if (account !== null) return
    // Casting and the pairing as a screen belong to an account, so they end with the sign-out.
    forgetCast()
    forgetScreen()
  }, [account])
  return (
    <>
      {account !== null && (
        <FaultBoundary renderFallback={() => null} onFault={reportFault}>
          <Suspense>
            {hasController && <MiniController screens={screens} />}
            {isPairedScreen && <ScreenOfAccount accountId={account.id} />}
          </Suspense>
        </FaultBoundary>
      )}
      <OfflineToaster />
    </>
  )
}

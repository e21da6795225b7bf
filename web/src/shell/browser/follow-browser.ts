import type { AnyRouter } from '@tanstack/react-router'
import { onAppLink } from '../../api/native.ts'
import { offerForProgrammes } from '../../features/content/catalogue/programme-menu.ts'
import { reportFault } from '../../features/ground/errors/report-fault.ts'
import { followMoves } from '../../features/ground/links/walked.ts'
import { ROUTES } from '../../routes.ts'
import { walkByArrows } from '../spatial/arrows.ts'
import { reloadWhenPartsAreGone } from './chunk-failure.ts'
import { followFocus } from './focus-moves.ts'
import { fetchingAhead, prefetchWhenIdle } from './prefetch.ts'

/** Starts the background work of a whole visit, on any screen. */
export function followBrowser(router: AnyRouter): void {
  followMoves(router.history)
  followFocus(router)
  reloadWhenPartsAreGone(router)
  prefetchWhenIdle(router)
  // Marks the prefetches of the router as prefetches too. They start when the pointer approaches a link.
  const { preloadRoute } = router
  router.preloadRoute = (screen) => fetchingAhead(preloadRoute(screen))
  onAppLink((link) => void openAppLink(router, link))
  offerForProgrammes(async () => {
    const { recordingActions } = await import('../../features/television/recordings/recording-actions.ts')
    return recordingActions
  })
  walkByArrows(() => router.state.location.pathname !== ROUTES.player)
}

/** Completes a sign-on that led back into the app. An invalid link is only logged (A4.3-02). */
async function openAppLink(router: AnyRouter, link: string): Promise<void> {
  const { signOnPath } = await import('../../features/viewing/accounts/deep-link.ts')
  try {
    await router.navigate({ href: signOnPath(link) })
  } catch (error) {
    reportFault(error)
  }
}

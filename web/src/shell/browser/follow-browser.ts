import type { AnyRouter } from '@tanstack/react-router'
import { onAppLink } from '../../api/native.ts'
import { reportFault } from '../../features/errors/report-fault.ts'
import { followMoves } from '../../features/links/walked.ts'
import { ROUTES } from '../../routes.ts'
import { walkByArrows } from '../spatial/arrows.ts'
import { reloadWhenPartsAreGone } from './chunk-failure.ts'
import { followFocus } from './focus-moves.ts'
import { fetchingAhead, prefetchWhenIdle } from './prefetch.ts'

/** What goes on in the browser all through a visit, whatever screen is shown. */
export function followBrowser(router: AnyRouter): void {
  followMoves(router.history)
  followFocus(router)
  reloadWhenPartsAreGone(router)
  prefetchWhenIdle(router)
  // A hand that nears a link has its screen fetched ahead too.
  const { preloadRoute } = router
  router.preloadRoute = (screen) => fetchingAhead(preloadRoute(screen))
  onAppLink((link) => void openAppLink(router, link))
  walkByArrows(() => router.state.location.pathname !== ROUTES.player)
}

/** Ends a sign-on that led back into the app. A link that is none is logged, and nothing more (A4.3-02). */
async function openAppLink(router: AnyRouter, link: string): Promise<void> {
  const { signOnPath } = await import('../../features/accounts/deep-link.ts')
  try {
    await router.navigate({ href: signOnPath(link) })
  } catch (error) {
    reportFault(error)
  }
}

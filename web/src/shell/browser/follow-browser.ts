import type { AnyRouter } from '@tanstack/react-router'
import { onAppLink } from '../../api/native.ts'
import { offerForProgrammes } from '../../features/content/catalogue/programme-menu.ts'
import { reportFault } from '../../features/ground/errors/report-fault.ts'
import { followMoves } from '../../features/ground/links/walked.ts'
import { isTelevision } from '../../features/ground/platform/use-platform.ts'
import { ROUTES } from '../../routes.ts'
import { reloadWhenPartsAreGone } from './chunk-failure.ts'
import { followFocus } from './focus-moves.ts'
import { fetchingAhead, prefetchWhenIdle, whenIdle } from './prefetch.ts'

/** Starts the background work of a whole visit, on any screen. */
export function followBrowser(router: AnyRouter): void {
  followMoves(router.history)
  followFocus(router)
  reloadWhenPartsAreGone(router)
  prefetchWhenIdle(router, () => run(({ prefetchVisible }) => prefetchVisible(router)))
  // Marks the prefetches of the router as prefetches too. They start when the pointer approaches a link.
  const { preloadRoute } = router
  router.preloadRoute = (screen) => fetchingAhead(preloadRoute(screen))
  onAppLink((link) => run(({ openAppLink }) => openAppLink(router, link)))
  offerForProgrammes(async () => (await late()).actionsForProgramme)
  whenIdle(() => run(({ finishStart }) => finishStart(router)))
  const followKeys = () => {
    run((work) => {
      work.walkByArrows(() => router.state.location.pathname !== ROUTES.player)
      return isTelevision() ? work.startTelevision(router) : undefined
    })
  }
  // A remote has no other keys, so on a television the arrows cannot wait until the page is idle.
  if (isTelevision()) followKeys()
  else whenIdle(followKeys)
}

/**
 * Loads the background work that no first page waits for: one file, so that the first page names no more. If that
 * fails, the page goes on without it.
 */
const late = () => fetchingAhead(import('./late-work.ts'))

/** Runs a part of the background work, as soon as it is loaded. */
function run(part: (work: Awaited<ReturnType<typeof late>>) => unknown): void {
  late().then(part).catch(reportFault)
}

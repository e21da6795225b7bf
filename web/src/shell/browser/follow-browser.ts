import type { AnyRouter } from '@tanstack/react-router'
import { isNative, onAppLink } from '../../api/native.ts'
import { offerForProgrammes } from '../../features/content/catalogue/programme-menu.ts'
import { reportFault } from '../../features/ground/errors/report-fault.ts'
import { followMoves } from '../../features/ground/links/walked.ts'
import { isTelevision } from '../../features/ground/platform/use-platform.ts'
import { modal } from '../../modals/modal.ts'
import { ROUTES } from '../../routes.ts'
import { reloadWhenPartsAreGone } from './chunk-failure.ts'
import { hasEarlyArrow, takeEarlyArrows } from './event-replay.ts'
import { followFocus } from './focus-moves.ts'
import { fetchingAhead, prefetchWhenIdle, whenIdle } from './prefetch.ts'

/** Starts the background work for a whole visit, on the first screen. */
export function followBrowser(router: AnyRouter): void {
  followMoves(router.history)
  followFocus(router)
  router.subscribe('onBeforeNavigate', ({ hrefChanged }) => {
    if (hrefChanged) modal.navigated()
  })
  reloadWhenPartsAreGone(router)
  prefetchWhenIdle(router, () => run(({ prefetchVisible }) => prefetchVisible(router)))
  // The router prefetches a screen when the pointer approaches a link. Counts these requests as prefetches too.
  const { preloadRoute } = router
  router.preloadRoute = (screen) => fetchingAhead(preloadRoute(screen))
  onAppLink((link) => run(({ openAppLink }) => openAppLink(router, link)))
  offerForProgrammes(async () => (await late()).actionsForProgramme)
  const finish = () => whenIdle(() => run(({ finishStart }) => finishStart(router)))
  // On the website, the server has already rendered the page. The native app loads and renders its first page
  // itself.
  if (isNative()) {
    const end = router.subscribe('onRendered', () => {
      end()
      finish()
    })
  } else finish()
  followKeys(router)
}

/** Loads the code for arrow keys: when the browser is idle, or at the first arrow key. */
function followKeys(router: AnyRouter): void {
  const waiting = new AbortController()
  const load = () => {
    if (waiting.signal.aborted) return
    waiting.abort()
    // Without this code, controls handle their arrow keys themselves.
    run((work) => {
      work.walkByArrows(() => router.state.location.pathname !== ROUTES.player, takeEarlyArrows())
      return isTelevision() ? work.startTelevision(router) : undefined
    }, takeEarlyArrows)
  }
  const onKeyDown = () => {
    if (hasEarlyArrow()) load()
  }
  addEventListener('keydown', onKeyDown, { capture: true, signal: waiting.signal })
  onKeyDown()
  // A television's remote has no Tab key, so its arrow keys cannot wait until the browser is idle.
  if (isTelevision()) load()
  else whenIdle(load)
}

/**
 * Loads the background work that the first page does not wait for. All of it is in one file, so that the first
 * page names only one more file. If the file cannot be loaded, the page continues without it.
 */
const late = () => fetchingAhead(import('./late-work.ts'))

/** Runs a part of the background work once its code has loaded. Calls `onFailed` if the code cannot be loaded. */
function run(part: (work: Awaited<ReturnType<typeof late>>) => unknown, onFailed?: () => void): void {
  late()
    .then(part)
    .catch((error: unknown) => {
      onFailed?.()
      reportFault(error)
    })
}

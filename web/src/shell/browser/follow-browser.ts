import type { AnyRouter } from '@tanstack/react-router'
import { followMoves } from '../../features/links/walked.ts'
import { ROUTES } from '../../routes.ts'
import { walkByArrows } from '../spatial/arrows.ts'
import { reloadWhenPartsAreGone } from './chunk-failure.ts'
import { prefetchWhenIdle } from './prefetch.ts'

/** What goes on in the browser all through a visit, whatever screen is shown. */
export function followBrowser(router: AnyRouter): void {
  followMoves(router.history)
  reloadWhenPartsAreGone()
  prefetchWhenIdle(router)
  walkByArrows(() => router.state.location.pathname !== ROUTES.player)
}

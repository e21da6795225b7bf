import type { AnyRouter } from '@tanstack/react-router'
import { environment } from '../../api/environment.ts'
import { withoutPrefix } from '../../api/language-prefix.ts'
import { fetchingAhead } from './prefetch.ts'

/** Prefetches the code of the screens behind the visible links of the page. */
export function prefetchVisible(router: AnyRouter): void {
  const { prefix } = environment()
  const paths = [...document.links]
    .filter((link) => link.origin === location.origin && isVisible(link))
    .map((link) => withoutPrefix(link.pathname, prefix))
  const routes = paths.flatMap((path) => router.getMatchedRoutes(path)[0])
  for (const route of new Set(routes)) {
    // Ignores a failure. The code is requested again when it is needed, and that request shows the error.
    fetchingAhead(Promise.resolve(router.loadRouteChunk(route))).catch(() => undefined)
  }
}

function isVisible(link: Element): boolean {
  const { top, bottom, left, right } = link.getBoundingClientRect()
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth && bottom > top
}

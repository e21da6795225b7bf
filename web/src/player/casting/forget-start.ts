import type { RouterHistory } from '@tanstack/react-router'
import { pathOf } from '../../features/ground/links/content-link.ts'
import { withoutStart } from '../content/player-target.ts'

/**
 * Removes the start from the player's address, once a screen plays the content. Otherwise a page that loads again would
 * hand the content over again, from its start.
 */
export function forgetStart(history: RouterHistory): void {
  const { href, pathname } = history.location
  // The viewer may have left the player meanwhile.
  if (pathname === pathOf('player')) history.replace(withoutStart(href))
}

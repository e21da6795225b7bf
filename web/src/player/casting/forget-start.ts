import type { AnyRouter } from '@tanstack/react-router'
import { pathOf } from '../../features/ground/links/content-link.ts'
import { withoutStart } from '../content/player-target.ts'
import { replaceAddress } from '../content/replace-address.ts'

/**
 * Removes the start position from the player's address once a screen plays the content. Otherwise a reload of the
 * page would cast the content again from this position.
 */
export function forgetStart(router: Pick<AnyRouter, 'latestLocation' | 'navigate'>): void {
  const { href, pathname } = router.latestLocation
  // The viewer has possibly left the player in the meantime.
  if (pathname === pathOf('player')) replaceAddress(router, withoutStart(href))
}

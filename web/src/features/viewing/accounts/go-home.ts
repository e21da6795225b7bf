import type { RegisteredRouter } from '@tanstack/react-router'
import { pathOf } from '../../ground/links/content-link.ts'

/**
 * Goes to home after the viewer has changed (A4.6-02). The pages of the previous viewer are dropped, so that going back
 * does not show them.
 */
export async function goHome(router: RegisteredRouter): Promise<void> {
  const to = pathOf('home')
  await router.navigate({ to })
  router.clearCache()
  // The viewer may already have gone back to a page with the previous viewer's data. Reloading makes the service render
  // that page for the current viewer.
  if (router.latestLocation.pathname !== to) location.reload()
}

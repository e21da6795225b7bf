import type { RegisteredRouter } from '@tanstack/react-router'
import { pathOf } from '../../ground/links/content-link.ts'

/**
 * Goes to home after a change of the viewer (A4.6-02). Drops the pages of the previous viewer, so that Back does
 * not show them.
 */
export async function goHome(router: RegisteredRouter): Promise<void> {
  const to = pathOf('home')
  await router.navigate({ to })
  router.clearCache()
  // The viewer may already have gone back to a page with the previous viewer's data. After a reload, the service
  // renders that page for the current viewer.
  if (router.latestLocation.pathname !== to) location.reload()
}

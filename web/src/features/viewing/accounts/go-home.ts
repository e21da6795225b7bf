import type { RegisteredRouter } from '@tanstack/react-router'
import { pathOf } from '../../ground/links/content-link.ts'

/** Goes home after a change of the viewer (A4.6-02). Going back then does not show the pages of the previous viewer. */
export async function goHome(router: RegisteredRouter): Promise<void> {
  const to = pathOf('home')
  await router.navigate({ to })
  router.clearCache()
  // The viewer may have gone back meanwhile, to a page with the previous viewer's data. After a reload, the
  // service renders the page for the current viewer.
  if (router.latestLocation.pathname !== to) location.reload()
}

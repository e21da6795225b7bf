import type { RegisteredRouter } from '@tanstack/react-router'
import { pathOf } from '../../ground/links/content-link.ts'

/** Goes home as another viewer (A4.6-02). Back then shows no page as the previous viewer saw it. */
export async function goHome(router: RegisteredRouter): Promise<void> {
  const to = pathOf('home')
  await router.navigate({ to })
  router.clearCache()
  // The viewer may have gone back meanwhile, to a page with the previous viewer's data. The reload makes the service render it for the
  // current viewer.
  if (router.latestLocation.pathname !== to) location.reload()
}

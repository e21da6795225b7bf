import type { RegisteredRouter } from '@tanstack/react-router'
import { pathOf } from '../links/content-link.ts'

/** Goes to home as another viewer (A4.6-02): the way back shows no page as the one before saw it. */
export async function goHome(router: RegisteredRouter): Promise<void> {
  const to = pathOf('home')
  await router.navigate({ to })
  router.clearCache()
  // Somebody may have gone back meanwhile, to a page that still shows what the viewer before was given: the service makes it anew,
  // for who watches now.
  if (router.latestLocation.pathname !== to) location.reload()
}

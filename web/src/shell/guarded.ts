import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { isNative, isOnline } from '../api/native.ts'
import { storesDownloads } from '../features/content/downloads/stored-mark.ts'
import { configurationOf } from '../features/ground/configuration/configuration-query.ts'
import { pathOf } from '../features/ground/links/content-link.ts'
import { routeAt } from '../features/ground/links/route-at.ts'
import { sessionQuery } from '../features/ground/session/session.ts'
import { guard } from './guards.ts'

/**
 * Redirects viewers who are not allowed to see the screen at `pathname` (V2.3, A2.2). Also redirects addresses that
 * differ from the address of their screen only in case; an address with encoded characters may keep its case. Called on
 * the server before it loads the screen's data, and in the browser before every navigation. The session (who is signed
 * in) and the configuration must be loaded.
 *
 * @param href the requested address with its query, to which the viewer gets back after a sign-in
 * @throws a redirect to the screen that the guard returns, or to the address in its right case
 */
export function guarded(
  queryClient: QueryClient,
  { pathname, href }: { pathname: string; href: string },
): void {
  const route = routeAt(pathname)
  const path = route === undefined ? pathname : pathOf(route.name, route.parameters)
  if (path !== pathname && path.toLowerCase() === pathname.toLowerCase())
    throw redirect({ to: path, search: true, hash: true, replace: true, statusCode: 301 })
  // The offline player is open without a sign-in. It shows only downloads of this device, and the service worker
  // fetches its page without credentials.
  if (route?.name === 'player' && href.includes('offline=true')) return
  // An address without a screen is guarded like an unknown page, so that a private service shows no 404 either.
  const detour = guard(route?.name ?? 'slug', {
    signedIn: queryClient.getQueryData(sessionQuery.queryKey)?.account != null,
    native: isNative(),
    online: isOnline(),
    storesDownloads: storesDownloads(),
    configuration: configurationOf(queryClient),
  })
  if (detour === undefined) return
  const back = detour.comesBack === true && href !== '/' ? { back: href } : {}
  throw redirect({ to: pathOf(detour.to), search: back })
}

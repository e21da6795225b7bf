import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { isNative, isOnline } from '../api/native.ts'
import { sessionQuery } from '../features/accounts/session.ts'
import { configurationOf } from '../features/configuration/configuration-query.ts'
import { pathOf } from '../features/links/content-link.ts'
import { routeAt } from '../features/links/route-at.ts'
import { guard } from './guards.ts'

/**
 * Lets nobody past who may not see the screen at `pathname`: on the server before anything of it is loaded, in the browser
 * before every move (V2.3, A2.2). Session and configuration are there by then.
 *
 * @param href the address asked for, with its query: what follows after signing in
 * @throws a redirect to where the guard sends them
 */
export function guarded(
  queryClient: QueryClient,
  { pathname, href }: { pathname: string; href: string },
): void {
  const route = routeAt(pathname)
  if (route === undefined) return
  const detour = guard(route.name, {
    signedIn: queryClient.getQueryData(sessionQuery.queryKey)?.account != null,
    native: isNative(),
    online: isOnline(),
    configuration: configurationOf(queryClient),
  })
  if (detour === undefined) return
  const back = detour.comesBack === true && href !== '/' ? { back: href } : {}
  throw redirect({ to: pathOf(detour.to), search: back })
}

import { useLocation, useRouterState } from '@tanstack/react-router'
import { routeAt } from '../features/ground/links/route-at.ts'
import type { RouteName } from '../routes.ts'

/** Returns the name of the current screen; undefined for an address without a screen. */
export function useScreen(): RouteName | undefined {
  return useLocation({ select: ({ pathname }) => routeAt(pathname)?.name })
}

/**
 * Returns the name of the screen that is rendered. While another screen loads, {@link useScreen} already returns the
 * name of the other screen.
 */
export function useRenderedScreen(): RouteName | undefined {
  return useRouterState({
    select: ({ resolvedLocation, location }) => routeAt((resolvedLocation ?? location).pathname)?.name,
  })
}

/** Returns the address of the current screen with its query. A different query counts as another screen. */
export function useScreenAddress(): string {
  return useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr })
}

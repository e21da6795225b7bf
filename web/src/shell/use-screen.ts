import { useLocation, useRouterState } from '@tanstack/react-router'
import { routeAt } from '../features/ground/links/route-at.ts'
import type { RouteName } from '../routes.ts'

/** Returns the name of the current screen; undefined for an address without a screen. */
export function useScreen(): RouteName | undefined {
  return useLocation({ select: ({ pathname }) => routeAt(pathname)?.name })
}

/**
 * Returns the name of the rendered screen. While another screen loads, {@link useScreen} already returns that
 * screen's name.
 */
export function useRenderedScreen(): RouteName | undefined {
  return useRouterState({
    select: ({ resolvedLocation, location }) => routeAt((resolvedLocation ?? location).pathname)?.name,
  })
}

/** Returns the current address with its query. A different query counts as another screen. */
export function useScreenAddress(): string {
  return useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr })
}

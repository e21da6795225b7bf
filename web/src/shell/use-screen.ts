import { useLocation } from '@tanstack/react-router'
import { routeAt } from '../features/links/route-at.ts'
import type { RouteName } from '../routes.ts'

/** The name of the screen that is shown; undefined for an address that none has. */
export function useScreen(): RouteName | undefined {
  return useLocation({ select: ({ pathname }) => routeAt(pathname)?.name })
}

/** The address of the screen that is shown, with its query: another one is another screen. */
export function useScreenAddress(): string {
  return useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr })
}

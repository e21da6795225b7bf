import { ROUTES, type RouteName } from '../routes.ts'

/** Names, or what they begin with, of the screens without a footer (V2.4-12). */
const WITHOUT = /^(?:auth-|register|account|others$|offers-confirmation$|verify-email$)/

const PATHS: ReadonlySet<string> = new Set(
  (Object.keys(ROUTES) as RouteName[]).filter((name) => WITHOUT.test(name)).map((name) => ROUTES[name]),
)

/** Whether a page has a footer. */
export function hasFooter(pathname: string): boolean {
  return !PATHS.has(pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname)
}

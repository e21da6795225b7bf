import type { RouteName } from '../routes.ts'

/** The bar at the top of a screen (V2.4-08, V2.4-09). */
export type Bar = 'navigation' | 'landing' | 'registration' | 'none'

const WITHOUT_BAR: ReadonlySet<RouteName | undefined> = new Set(['verify-email', 'player', 'receiver'])

/** Returns the bar of a screen. An unknown address has the default bar. */
export function barOf(route: RouteName | undefined): Bar {
  if (WITHOUT_BAR.has(route)) return 'none'
  if (route === 'landing') return 'landing'
  return isRegistration(route) ? 'registration' : 'navigation'
}

/** Screens without a footer, by name or by the beginning of the name (V2.4-12). */
const WITHOUT_FOOTER =
  /^(?:auth-|register|account|others$|offers-confirmation$|verify-email$|player$|receiver$)/

/** Returns whether a screen has the footer. The native app never has a footer (V2.4-12). */
export function hasFooter(route: RouteName | undefined, native: boolean): boolean {
  return !native && (route === undefined || !WITHOUT_FOOTER.test(route))
}

const WITHOUT_TABS = /^(?:auth-|register|offers-confirmation$|player$|receiver$)/

/** The windows with a tab bar: all windows in the native app, but only phones on the web. */
export type TabBarWindows = 'all' | 'phones'

/**
 * Returns the windows in which a screen has the tab bar (V2.4-13, spec 45); undefined if it never has the tab bar.
 */
export function tabBarOf(
  route: RouteName | undefined,
  { native, navBar }: { native: boolean; navBar: boolean },
): TabBarWindows | undefined {
  if (!navBar || (route !== undefined && WITHOUT_TABS.test(route))) return undefined
  return native ? 'all' : 'phones'
}

/**
 * Returns whether a screen has the burger menu on a phone. It does if there is no tab bar, except on the sign-in
 * screen and on the screen for a forgotten password (V2.4-07, docs/decisions/0041).
 */
export function hasBurger(
  route: RouteName | undefined,
  platform: { native: boolean; navBar: boolean },
): boolean {
  if (route === 'auth-login' || route === 'auth-password-forgot') return false
  return tabBarOf(route, platform) === undefined
}

/** Returns whether the search box stays open on a screen. It does only on the search screens (V4-10). */
export function keepsSearchOpen(route: RouteName | undefined): boolean {
  return route === 'search' || route === 'search-filter'
}

/** Returns whether a screen is an account setting. All account settings share a menu. */
export function isAccountScreen(route: RouteName | undefined): boolean {
  return route?.startsWith('account-') === true
}

function isRegistration(route: RouteName | undefined): boolean {
  return route === 'register' || route?.startsWith('register-') === true
}

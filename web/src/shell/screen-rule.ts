import type { RouteName } from '../routes.ts'

/** What stands at the top of a screen (V2.4-08, V2.4-09). */
export type Bar = 'navigation' | 'landing' | 'registration' | 'none'

const WITHOUT_BAR: ReadonlySet<RouteName | undefined> = new Set(['verify-email', 'player', 'receiver'])

/** Which bar a screen has: an unknown address has that of any other. */
export function barOf(route: RouteName | undefined): Bar {
  if (WITHOUT_BAR.has(route)) return 'none'
  if (route === 'landing') return 'landing'
  return isRegistration(route) ? 'registration' : 'navigation'
}

/** Names, or what they begin with, of the screens without a footer (V2.4-12). */
const WITHOUT_FOOTER =
  /^(?:auth-|register|account|others$|offers-confirmation$|verify-email$|player$|receiver$)/

/** Whether a screen has the footer: in a native app none has (V2.4-12). */
export function hasFooter(route: RouteName | undefined, native: boolean): boolean {
  return !native && (route === undefined || !WITHOUT_FOOTER.test(route))
}

const WITHOUT_TABS = /^(?:auth-|register|offers-confirmation$|player$|receiver$)/

/** Whether a screen has the tab bar: in a native app that has one, nearly everywhere (V2.4-13). */
export function hasTabBar(
  route: RouteName | undefined,
  { native, navBar }: { native: boolean; navBar: boolean },
): boolean {
  return native && navBar && (route === undefined || !WITHOUT_TABS.test(route))
}

/** Whether a narrow screen has the burger: where one signs in, nothing leads away (V2.4-07). */
export function hasBurger(route: RouteName | undefined): boolean {
  return route !== 'auth-login' && route !== 'auth-password-forgot'
}

/** Whether the search box stays open: where it is what the screen is about (V4-07). */
export function keepsSearchOpen(route: RouteName | undefined): boolean {
  return route === 'search' || route === 'search-filter'
}

/** Whether a screen is one of the account settings, which share their menu. */
export function isAccountScreen(route: RouteName | undefined): boolean {
  return route?.startsWith('account-') === true
}

function isRegistration(route: RouteName | undefined): boolean {
  return route === 'register' || route?.startsWith('register-') === true
}

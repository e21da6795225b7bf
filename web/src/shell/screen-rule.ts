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

/** The windows that have a tab bar: every window of a native app, phones on the web. */
export type TabBarWindows = 'all' | 'phones'

/** In which windows a screen has the tab bar (V2.4-13, decision 45); undefined for none. */
export function tabBarOf(
  route: RouteName | undefined,
  { native, navBar }: { native: boolean; navBar: boolean },
): TabBarWindows | undefined {
  if (!navBar || (route !== undefined && WITHOUT_TABS.test(route))) return undefined
  return native ? 'all' : 'phones'
}

/**
 * Whether a phone has the burger: where no tab bar leads on (V2.4-07, docs/decisions/0041). The screens on which people sign in
 * lead nowhere else.
 */
export function hasBurger(
  route: RouteName | undefined,
  platform: { native: boolean; navBar: boolean },
): boolean {
  if (route === 'auth-login' || route === 'auth-password-forgot') return false
  return tabBarOf(route, platform) === undefined
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

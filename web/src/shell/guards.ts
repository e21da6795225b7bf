import type { Configuration } from '@ondine/contract/configuration'
import type { RouteName } from '../routes.ts'

/** The sections of the configuration that the guards use. */
export type GuardConfiguration = Pick<Configuration, 'accounts' | 'offers' | 'guide' | 'downloads' | 'home'>

/** The circumstances of a request for a screen: the viewer, the platform and the configuration. */
export interface Visit {
  signedIn: boolean
  /** Whether the request comes from the native app. */
  native: boolean
  online: boolean
  /**
   * Whether this device still stores downloads, even if the operator no longer offers them. Always false on the
   * server.
   */
  storesDownloads: boolean
  configuration: GuardConfiguration
}

/**
 * The target of a redirect. With `comesBack`, the viewer gets back to the requested page after a sign-in on the
 * target.
 */
export interface Detour {
  to: RouteName
  comesBack?: true
}

const SIGN_IN: Detour = { to: 'auth-login', comesBack: true }
const HOME: Detour = { to: 'home' }

/**
 * Screens of a private service that are open without a sign-in: the screens for signing in, and the screens without
 * content (spec 1).
 */
const OPEN_IN_PRIVATE: ReadonlySet<RouteName> = new Set([
  'auth-login',
  'auth-callback',
  'auth-password-forgot',
  'auth-password-reset',
  'verify-email',
  'legal',
  'receiver',
  'pair',
])

/** Screens that work without a connection. */
const AWAY: ReadonlySet<RouteName> = new Set(['library-downloads', 'player'])

/** Screens that need an account, but whose names do not start with `account`. */
const PROTECTED: ReadonlySet<RouteName> = new Set(['offers-cart', 'offers-checkout', 'offers-confirmation'])

/**
 * Returns the redirect for a request for a screen; undefined if the screen may be shown. All guards are defined
 * only here (V2.3, A2.2). Both the server and the browser call this function before they load the screen's data.
 */
export function guard(route: RouteName, visit: Visit): Detour | undefined {
  const { configuration } = visit
  if (isAway(visit)) return AWAY.has(route) ? undefined : { to: 'library-downloads' }
  return (
    privateAccess(route, visit) ??
    authPages(route, visit) ??
    passwords(route, configuration) ??
    activation(route, configuration) ??
    offers(route, configuration) ??
    downloads(route, visit) ??
    account(route, visit) ??
    parentalCode(route, configuration)
  )
}

/**
 * Returns whether the app shows only downloads: it is native and offline, and downloads are enabled (A2.2-06, spec
 * 7).
 */
function isAway({ native, online, configuration }: Visit): boolean {
  return native && !online && configuration.downloads.downloadEnabled
}

/**
 * Closes a private service to viewers who are not signed in (V2.3-05, V2.3-06, spec 1). Redirects to home if the
 * operator has published an anonymous page, and otherwise to the sign-in screen.
 */
function privateAccess(route: RouteName, { signedIn, configuration }: Visit): Detour | undefined {
  const { accounts, home } = configuration
  if (signedIn || !accounts.isPrivateAccessEnabled || OPEN_IN_PRIVATE.has(route)) return undefined
  if (isRegistration(route)) return undefined
  if (home.anonymousPage === '') return SIGN_IN
  return route === 'home' ? undefined : { ...HOME, comesBack: true }
}

/** Redirects signed-in viewers from the sign-in screens to home (A2.2-01). */
function authPages(route: RouteName, { signedIn }: Visit): Detour | undefined {
  return signedIn && route.startsWith('auth-') ? HOME : undefined
}

/**
 * Closes the registration if the operator does not allow it (A2.2-03), and the password reset if another system manages
 * the passwords or they cannot be reset (A2.2-04). Closes both if people sign in only at the identity provider (A4.3). In
 * a private service, this is the only check of the registration, because `privateAccess` leaves it open.
 */
function passwords(route: RouteName, { accounts }: GuardConfiguration): Detour | undefined {
  const isRegister = isRegistration(route)
  if (!isRegister && !route.startsWith('auth-password-')) return undefined
  const isOpen = isRegister ? accounts.isAllowedToRegister : accounts.resetPassword.mode === 'internal'
  return isOpen && accounts.authentication.mode !== 'sso' ? undefined : { to: 'auth-login' }
}

/** Closes the guide screens that the operator has switched off (V2.3-01, V2.3-02, V2.3-04). */
function activation(route: RouteName, { guide }: GuardConfiguration): Detour | undefined {
  const pages: Partial<Record<RouteName, { pageActivation: boolean }>> = {
    'channel-events-guide-slug': guide.channelEventsGuideConfiguration,
    epg: guide.epgGridConfiguration,
    'live-events-guide-slug': guide.liveEventsGuideConfiguration,
  }
  return pages[route]?.pageActivation === false ? HOME : undefined
}

/**
 * Closes the offers screens if the operator has switched them off (A2.2-02). The cart stays open, because viewers
 * can rent a title without the offers screens.
 */
function offers(
  route: RouteName,
  { offers: { isOfferScreenEnable } }: GuardConfiguration,
): Detour | undefined {
  return (route === 'offers' || route === 'offers-details') && !isOfferScreenEnable ? HOME : undefined
}

/**
 * Closes the downloads screen if downloads are disabled (A2.2-05). The native app and the web have separate
 * settings (spec 39). If the device still stores downloads, the screen stays open, so that the viewer can delete
 * them.
 */
function downloads(route: RouteName, { native, storesDownloads, configuration }: Visit): Detour | undefined {
  const { downloadEnabled, downloadWebEnabled } = configuration.downloads
  const enabled = native ? downloadEnabled : downloadWebEnabled
  return route === 'library-downloads' && !enabled && !storesDownloads ? { to: 'library-rentals' } : undefined
}

/** Redirects viewers who are not signed in from the screens of an account to the sign-in screen (A2.2-07). */
function account(route: RouteName, { signedIn }: Visit): Detour | undefined {
  const isProtected = /^(?:account|library)(?:-|$)/.test(route) || PROTECTED.has(route)
  return isProtected && !signedIn ? SIGN_IN : undefined
}

/** Closes the screen of the parental code if there is no parental control (V1-11). */
function parentalCode(route: RouteName, { accounts }: GuardConfiguration): Detour | undefined {
  const isCode = route === 'account-parental-code'
  return isCode && !accounts.isParentalControlEnabled ? { to: 'account-devices' } : undefined
}

/** Screens that the operator can switch off for everyone. */
const SWITCHED: readonly RouteName[] = [
  'account-parental-code',
  'channel-events-guide-slug',
  'epg',
  'live-events-guide-slug',
]

/** Returns the screens that are switched off, so that nothing offers a link to them. */
export function switchedOff(configuration: GuardConfiguration): RouteName[] {
  return SWITCHED.filter(
    (route) => (activation(route, configuration) ?? parentalCode(route, configuration)) !== undefined,
  )
}

function isRegistration(route: RouteName): boolean {
  return route === 'register' || route.startsWith('register-')
}

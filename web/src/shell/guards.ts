import type { Configuration } from '@ondine/contract/configuration'
import type { RouteName } from '../routes.ts'

/** The sections of the configuration that decide who may see which screen. */
export type GuardConfiguration = Pick<Configuration, 'accounts' | 'offers' | 'guide' | 'downloads' | 'home'>

/** Who wants to see a screen, and from where. */
export interface Visit {
  signedIn: boolean
  /** Whether this is the native app. */
  native: boolean
  online: boolean
  configuration: GuardConfiguration
}

/** Where a guard sends someone. `comesBack` says that the page asked for follows once they have signed in. */
export interface Detour {
  to: RouteName
  comesBack?: true
}

const SIGN_IN: Detour = { to: 'auth-login', comesBack: true }
const HOME: Detour = { to: 'home' }

/** What a signed-out person needs to get in, and what concerns nobody's content (decision 1). */
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

/** What works without a connection. */
const AWAY: ReadonlySet<RouteName> = new Set(['library-downloads', 'player'])

/** Screens of an account that are not named after it. */
const PROTECTED: ReadonlySet<RouteName> = new Set(['offers-cart', 'offers-checkout', 'offers-confirmation'])

/**
 * Where someone is sent who asks for a screen; undefined when it may be shown. The one definition of all guards (V2.3,
 * A2.2): the server and the browser both ask it, before anything of the screen is loaded.
 */
export function guard(route: RouteName, visit: Visit): Detour | undefined {
  const { configuration } = visit
  if (isAway(visit)) return AWAY.has(route) ? undefined : { to: 'library-downloads' }
  return (
    privateAccess(route, visit) ??
    authPages(route, visit) ??
    registration(route, configuration) ??
    resetPassword(route, configuration) ??
    activation(route, configuration) ??
    offers(route, configuration) ??
    downloads(route, visit) ??
    account(route, visit) ??
    parentalCode(route, configuration)
  )
}

/** A native app without a connection shows what it holds itself, if it may hold anything (A2.2-06, decision 7). */
function isAway({ native, online, configuration }: Visit): boolean {
  return native && !online && configuration.downloads.downloadEnabled
}

/** V2.3-05, V2.3-06, decision 1. With a published anonymous page there is home to go to, without one only the sign-in. */
function privateAccess(route: RouteName, { signedIn, configuration }: Visit): Detour | undefined {
  const { accounts, home } = configuration
  if (signedIn || !accounts.isPrivateAccessEnabled || OPEN_IN_PRIVATE.has(route)) return undefined
  if (isRegistration(route)) return undefined
  if (home.anonymousPage === '') return SIGN_IN
  return route === 'home' ? undefined : HOME
}

/** Who is signed in has no business where one signs in (A2.2-01). */
function authPages(route: RouteName, { signedIn }: Visit): Detour | undefined {
  return signedIn && route.startsWith('auth-') ? HOME : undefined
}

/** A2.2-03. In private access too: whether registering is open is asked here and nowhere else. */
function registration(route: RouteName, { accounts }: GuardConfiguration): Detour | undefined {
  return isRegistration(route) && !accounts.isAllowedToRegister ? { to: 'auth-login' } : undefined
}

/** A2.2-04: where passwords are kept by somebody else, or cannot be reset, there is nothing to fill in here. */
function resetPassword(route: RouteName, { accounts }: GuardConfiguration): Detour | undefined {
  const isReset = route === 'auth-password-reset' || route === 'auth-password-forgot'
  return isReset && accounts.resetPassword.mode !== 'internal' ? { to: 'auth-login' } : undefined
}

/** V2.3-01, V2.3-02, V2.3-04. */
function activation(route: RouteName, { guide }: GuardConfiguration): Detour | undefined {
  const pages: Partial<Record<RouteName, { pageActivation: boolean }>> = {
    'channel-events-guide-slug': guide.channelEventsGuideConfiguration,
    epg: guide.epgGridConfiguration,
    'live-events-guide-slug': guide.liveEventsGuideConfiguration,
  }
  return pages[route]?.pageActivation === false ? HOME : undefined
}

/** A2.2-02. The cart stays: a rental is bought without the screen of offers. */
function offers(
  route: RouteName,
  { offers: { isOfferScreenEnable } }: GuardConfiguration,
): Detour | undefined {
  return (route === 'offers' || route === 'offers-details') && !isOfferScreenEnable ? HOME : undefined
}

/** A2.2-05, decision 39: natively downloads need one field, on the web another. */
function downloads(route: RouteName, { native, configuration }: Visit): Detour | undefined {
  const { downloadEnabled, downloadWebEnabled } = configuration.downloads
  const enabled = native ? downloadEnabled : downloadWebEnabled
  return route === 'library-downloads' && !enabled ? { to: 'library-rentals' } : undefined
}

/** A2.2-07. */
function account(route: RouteName, { signedIn }: Visit): Detour | undefined {
  const isProtected = /^(?:account|library)(?:-|$)/.test(route) || PROTECTED.has(route)
  return isProtected && !signedIn ? SIGN_IN : undefined
}

/** V1-11: without parental control there is no code to set. */
function parentalCode(route: RouteName, { accounts }: GuardConfiguration): Detour | undefined {
  const isCode = route === 'account-parental-code'
  return isCode && !accounts.isParentalControlEnabled ? { to: 'account-devices' } : undefined
}

function isRegistration(route: RouteName): boolean {
  return route === 'register' || route.startsWith('register-')
}

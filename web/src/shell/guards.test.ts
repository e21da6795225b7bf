import { type Configuration, DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { describe, expect, test } from 'vitest'
import { ROUTES, type RouteName } from '../routes.ts'
import { type Detour, guard } from './guards.ts'

type Changes = { [Section in keyof Configuration]?: Partial<Configuration[Section]> }

/** Returns the result of the guard. By default, the request comes from an online browser without a sign-in. */
function sent(
  route: RouteName,
  {
    signedIn = false,
    native = false,
    online = true,
    storesDownloads = false,
    ...changes
  }: Changes & { signedIn?: boolean; native?: boolean; online?: boolean; storesDownloads?: boolean } = {},
): Detour | undefined {
  const { accounts, offers, guide, downloads, home } = DEFAULT_CONFIGURATION
  const configuration = {
    accounts: { ...accounts, ...changes.accounts },
    offers: { ...offers, ...changes.offers },
    guide: { ...guide, ...changes.guide },
    downloads: { ...downloads, ...changes.downloads },
    home: { ...home, ...changes.home },
  }
  return guard(route, { signedIn, native, online, storesDownloads, configuration })
}

const ALL = Object.keys(ROUTES) as RouteName[]
const SIGN_IN = { to: 'auth-login', comesBack: true }
const HOME = { to: 'home' }
const HOME_AND_BACK = { ...HOME, comesBack: true }

describe('private access', () => {
  const accounts = { isPrivateAccessEnabled: true }
  const open: RouteName[] = [
    'auth-login',
    'auth-callback',
    'auth-password-forgot',
    'auth-password-reset',
    'verify-email',
    'register',
    'register-informations',
    'register-offers',
    'register-summary',
    'register-confirmation',
    'legal',
    'receiver',
    'pair',
  ]

  test('V2.3-05 a visitor may only see the screens needed to sign in; every other one leads to the sign-in and back', () => {
    for (const route of ALL)
      expect(sent(route, { accounts }), route).toEqual(open.includes(route) ? undefined : SIGN_IN)
  })

  test('V2.3-05 these include registration only when it is allowed', () => {
    const closed = { ...accounts, isAllowedToRegister: false }
    expect(sent('register-informations', { accounts: closed })).toEqual({ to: 'auth-login' })
  })

  test('V2.3-06 with a published anonymous page home shows it, and every other screen leads there', () => {
    const home = { anonymousPage: 'bienvenue' }
    expect(sent('home', { accounts, home })).toBeUndefined()
    for (const route of ALL.filter((each) => each !== 'home' && !open.includes(each)))
      expect(sent(route, { accounts, home }), route).toEqual(HOME_AND_BACK)
    expect(sent('auth-login', { accounts, home })).toBeUndefined()
    expect(sent('assets-slug', { accounts, home, native: true })).toEqual(HOME_AND_BACK)
    expect(sent('assets-slug', { accounts, native: true })).toEqual(SIGN_IN)
  })

  test('V2.3-05 does not apply to signed-in viewers, or when it is off', () => {
    expect(sent('assets-slug', { accounts, signedIn: true })).toBeUndefined()
    expect(sent('assets-slug')).toBeUndefined()
  })
})

test.each<RouteName>(['auth-login', 'auth-callback', 'auth-password-forgot', 'auth-password-reset'])(
  'A2.2-01 a signed-in viewer is redirected home from %s',
  (route) => {
    expect(sent(route, { signedIn: true })).toEqual(HOME)
    expect(sent(route)).toBeUndefined()
  },
)

test.each([
  ['V2.3-01', 'channel-events-guide-slug', 'channelEventsGuideConfiguration'],
  ['V2.3-02', 'epg', 'epgGridConfiguration'],
  ['V2.3-04', 'live-events-guide-slug', 'liveEventsGuideConfiguration'],
] as const)('%s %s requires its page activation', (_clause, route, field) => {
  const off = {
    ...DEFAULT_CONFIGURATION.guide,
    [field]: { ...DEFAULT_CONFIGURATION.guide[field], pageActivation: false },
  }
  expect(sent(route, { guide: off })).toEqual(HOME)
  expect(sent(route, { guide: off, signedIn: true })).toEqual(HOME)
  expect(sent(route)).toBeUndefined()
})

test('A2.2-02 without the offers screen its pages lead home, but the cart stays', () => {
  const offers = { isOfferScreenEnable: false }
  expect(sent('offers', { offers })).toEqual(HOME)
  expect(sent('offers-details', { offers, signedIn: true })).toEqual(HOME)
  expect(sent('offers-cart', { offers, signedIn: true })).toBeUndefined()
  expect(sent('offers')).toBeUndefined()
})

test('V1-11 without parental control the page of its code leads to the account', () => {
  const accounts = { isParentalControlEnabled: false }
  expect(sent('account-parental-code', { accounts, signedIn: true })).toEqual({ to: 'account-devices' })
  expect(sent('account-parental-code', { accounts })).toEqual(SIGN_IN)
  expect(sent('account-parental-code', { signedIn: true })).toBeUndefined()
})

test.each<RouteName>(['register', 'register-informations', 'register-offers', 'register-summary'])(
  'A2.2-03 %s leads to the sign-in when registration is not allowed',
  (route) => {
    expect(sent(route, { accounts: { isAllowedToRegister: false } })).toEqual({ to: 'auth-login' })
    expect(sent(route)).toBeUndefined()
  },
)

test.each([
  ['internal', undefined],
  ['external-direct', { to: 'auth-login' }],
  ['external-popup', { to: 'auth-login' }],
  ['disabled', { to: 'auth-login' }],
] as const)('A2.2-04 guards the password reset page in mode %s', (mode, detour) => {
  const accounts = { resetPassword: { mode, url: '' } }
  expect(sent('auth-password-reset', { accounts })).toEqual(detour)
})

test.each<RouteName>(['register', 'register-informations', 'auth-password-reset', 'auth-password-forgot'])(
  'A4.3 %s leads to the sign-in when people sign in only at the identity provider',
  (route) => {
    const authentication = { ...DEFAULT_CONFIGURATION.accounts.authentication, mode: 'sso' as const }
    expect(sent(route, { accounts: { authentication } })).toEqual({ to: 'auth-login' })
    expect(sent(route)).toBeUndefined()
  },
)

test('A2.2-05 the downloads require their own setting on the web and natively, else the rentals are shown', () => {
  const neither = { downloadEnabled: false, downloadWebEnabled: false }
  const rentals = { to: 'library-rentals' }
  const ask = (native: boolean, downloads: object) =>
    sent('library-downloads', { signedIn: true, native, downloads })
  expect(ask(false, neither)).toEqual(rentals)
  expect(ask(true, neither)).toEqual(rentals)
  expect(ask(false, { ...neither, downloadEnabled: true })).toEqual(rentals)
  expect(ask(false, { ...neither, downloadWebEnabled: true })).toBeUndefined()
  expect(ask(true, { ...neither, downloadEnabled: true })).toBeUndefined()
})

test('A2.2-05 the downloads stay open while some are stored on the device', () => {
  const neither = { downloadEnabled: false, downloadWebEnabled: false }
  const kept = { storesDownloads: true, downloads: neither }
  expect(sent('library-downloads', { ...kept, signedIn: true })).toBeUndefined()
  expect(sent('library-downloads', kept)).toEqual(SIGN_IN)
})

test('A2.2-06 an offline native app goes to its downloads, if they are enabled', () => {
  const away = { native: true, online: false, signedIn: true }
  const downloads = { downloadEnabled: true }
  expect(sent('home', { ...away, downloads })).toEqual({ to: 'library-downloads' })
  expect(sent('library-downloads', { ...away, downloads })).toBeUndefined()
  expect(sent('player', { ...away, downloads })).toBeUndefined()
  expect(sent('home', { ...away, downloads: { downloadEnabled: false } })).toBeUndefined()
  expect(sent('home', { ...away, native: false, downloads })).toBeUndefined()
  expect(sent('home', { ...away, online: true, downloads })).toBeUndefined()
})

test('A2.2-07 the account screens lead to the sign-in and back', () => {
  const downloads = { downloadWebEnabled: true }
  const own = ALL.filter((route) => /^(account|library|offers-(cart|checkout|confirmation))/.test(route))
  expect(own.length).toBeGreaterThan(15)
  for (const route of own) {
    expect(sent(route, { downloads }), route).toEqual(SIGN_IN)
    expect(sent(route, { downloads, signedIn: true }), route).toBeUndefined()
  }
})

test('A2.2-07 a visitor may see every other screen', () => {
  const own = /^(account|library|offers-(cart|checkout|confirmation))/
  for (const route of ALL.filter((each) => !own.test(each))) expect(sent(route), route).toBeUndefined()
})

test('no detour leads to another one', () => {
  const accountsClosed = { isPrivateAccessEnabled: true, isAllowedToRegister: false }
  for (const signedIn of [true, false])
    for (const native of [true, false])
      for (const online of [true, false])
        for (const accounts of [{}, accountsClosed])
          for (const anonymousPage of ['', 'bienvenue'])
            for (const route of ALL) {
              const visit = { signedIn, native, online, accounts, home: { anonymousPage } }
              const detour = sent(route, visit)
              if (detour !== undefined)
                expect(endOf(detour.to, visit), `${route} ${JSON.stringify(visit)}`).not.toBe('a circle')
            }
})

/** Follows redirects until a screen may be shown. */
function endOf(route: RouteName, visit: Parameters<typeof sent>[1]): RouteName | 'a circle' {
  let here = route
  for (let step = 0; step < 5; step += 1) {
    const next = sent(here, visit)
    if (next === undefined) return here
    here = next.to
  }
  return 'a circle'
}

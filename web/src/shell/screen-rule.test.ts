import { expect, test } from 'vitest'
import { ROUTES, type RouteName } from '../routes.ts'
import { barOf, hasBurger, hasFooter, isAccountScreen, keepsSearchOpen, tabBarOf } from './screen-rule.ts'

const ALL = Object.keys(ROUTES) as RouteName[]

test('V2.4-08 the landing route has its own bar, and so have the steps of registering', () => {
  expect(ALL.filter((name) => barOf(name) === 'landing')).toEqual(['landing'])
  expect(ALL.filter((name) => barOf(name) === 'registration')).toEqual([
    'register',
    'register-informations',
    'register-offers',
    'register-summary',
    'register-confirmation',
  ])
})

test('V2.4-09 no bar where an e-mail is verified, nor while the player shows', () => {
  expect(ALL.filter((name) => barOf(name) === 'none')).toEqual(['verify-email', 'player', 'receiver'])
  expect(barOf(undefined)).toBe('navigation')
})

test.each<RouteName>([
  'auth-login',
  'auth-password-reset',
  'register',
  'register-offers',
  'account-devices',
  'others',
  'offers-confirmation',
  'verify-email',
])('V2.4-12 no footer on %s', (name) => {
  expect(hasFooter(name, false)).toBe(false)
})

test.each<RouteName | undefined>(['home', 'live', 'assets-slug', 'offers', 'offers-cart', undefined])(
  'V2.4-12 a footer on %s, except in a native app',
  (name) => {
    expect(hasFooter(name, false)).toBe(true)
    expect(hasFooter(name, true)).toBe(false)
  },
)

test('V2.4-13 the tab bar can be switched off, and stays away from signing in, registering and paying', () => {
  const native = { native: true, navBar: true }
  const web = { native: false, navBar: true }
  expect(ALL.filter((name) => tabBarOf(name, web) === undefined)).toEqual(
    ALL.filter((name) => tabBarOf(name, native) === undefined),
  )
  expect(ALL.filter((name) => tabBarOf(name, native) === undefined)).toEqual([
    'offers-confirmation',
    'auth-callback',
    'auth-login',
    'auth-password-forgot',
    'auth-password-reset',
    'register',
    'register-informations',
    'register-offers',
    'register-summary',
    'register-confirmation',
    'player',
    'receiver',
  ])
  expect(tabBarOf('home', native)).toBe('all')
  expect(tabBarOf('home', web)).toBe('phones')
  expect(tabBarOf(undefined, web)).toBe('phones')
  expect(tabBarOf('home', { native: true, navBar: false })).toBeUndefined()
  expect(tabBarOf('home', { native: false, navBar: false })).toBeUndefined()
})

test('V2.4-07 a burger where no tab bar is, but not where one signs in or has forgotten the password', () => {
  const without = { native: false, navBar: false }
  expect(ALL.filter((name) => !hasBurger(name, without))).toEqual(['auth-login', 'auth-password-forgot'])
  expect(hasBurger('home', { native: false, navBar: true })).toBe(false)
  expect(hasBurger('auth-password-reset', { native: false, navBar: true })).toBe(true)
})

test('V4-07 search keeps its box open', () => {
  expect(ALL.filter(keepsSearchOpen)).toEqual(['search-filter', 'search'])
})

test('the screens of the account', () => {
  expect(ALL.filter(isAccountScreen)).toHaveLength(8)
})

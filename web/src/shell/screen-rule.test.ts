import { expect, test } from 'vitest'
import { ROUTES, type RouteName } from '../routes.ts'
import { barOf, hasBurger, hasFooter, isAccountScreen, keepsSearchOpen, tabBarOf } from './screen-rule.ts'

const ALL = Object.keys(ROUTES) as RouteName[]

test('V2.4-08 the landing route and the steps of registration have their own bars', () => {
  expect(ALL.filter((name) => barOf(name) === 'landing')).toEqual(['landing'])
  expect(ALL.filter((name) => barOf(name) === 'registration')).toEqual([
    'register',
    'register-informations',
    'register-offers',
    'register-summary',
    'register-confirmation',
  ])
})

test('V2.4-09 no bar on the e-mail verification, nor in the player', () => {
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
])('V2.4-12 there is no footer on %s', (name) => {
  expect(hasFooter(name, false)).toBe(false)
})

test.each<RouteName | undefined>(['home', 'live', 'assets-slug', 'offers', 'offers-cart', undefined])(
  'V2.4-12 there is a footer on %s, except in a native app',
  (name) => {
    expect(hasFooter(name, false)).toBe(true)
    expect(hasFooter(name, true)).toBe(false)
  },
)

test('V2.4-13 the tab bar can be disabled, and is absent from sign-in, registration and payment', () => {
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

test('V2.4-07 there is a burger where no tab bar is, but not on sign-in and forgotten password', () => {
  const without = { native: false, navBar: false }
  expect(ALL.filter((name) => !hasBurger(name, without))).toEqual(['auth-login', 'auth-password-forgot'])
  expect(hasBurger('home', { native: false, navBar: true })).toBe(false)
  expect(hasBurger('auth-password-reset', { native: false, navBar: true })).toBe(true)
})

test('V4-10 search keeps its box open', () => {
  expect(ALL.filter(keepsSearchOpen)).toEqual(['search-filter', 'search'])
})

test('counts the account screens', () => {
  expect(ALL.filter(isAccountScreen)).toHaveLength(8)
})

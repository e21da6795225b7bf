import { expect, test } from 'vitest'
import { isTopLevel } from './top-level.ts'

test.each([
  'account-devices',
  'account-parental-code',
  'auth-login',
  'auth-callback',
  'home',
  'assets',
  'category-slug',
  'others',
])('V2.1-28 %s is top level', (name) => {
  expect(isTopLevel(name)).toBe(true)
})

test.each(['account', 'assets-slug', 'channel-slug', 'epg', 'series-id', 'slug', 'authentication', ''])(
  'V2.1-28 %s is not top level',
  (name) => {
    expect(isTopLevel(name)).toBe(false)
  },
)

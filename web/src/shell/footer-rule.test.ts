import { expect, test } from 'vitest'
import { hasFooter } from './footer-rule.ts'

test.each([
  '/auth/login',
  '/auth/login/',
  '/resetPassword',
  '/register',
  '/register/offers',
  '/account/devices',
  '/others',
  '/offers/confirmation',
  '/verify-email',
])('V2.4-12 no footer on %s', (path) => {
  expect(hasFooter(path)).toBe(false)
})

test.each(['/', '/live', '/content/la-houle-1', '/offers', '/category/accounts-4'])(
  'V2.4-12 a footer on %s',
  (path) => {
    expect(hasFooter(path)).toBe(true)
  },
)

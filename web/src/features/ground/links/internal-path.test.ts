import { expect, test } from 'vitest'
import { internalPath } from './internal-path.ts'

test.each(['/', '/live', '/content/la-houle-1?a=b#c', '/player?asset=1&t=20', '/search/caf%C3%A9'])(
  '%s is a path of this site',
  (path) => {
    expect(internalPath(path)).toBe(path)
  },
)

test.each([
  'https://example.org/',
  '//example.org',
  '/\\example.org',
  '\\\\example.org',
  '/a\\b',
  'javascript:alert(1)',
  'live',
  '',
  '/\t/example.org',
  '/\n/example.org',
  '/..//example.org',
  undefined,
  null,
  12,
  ['/live'],
  { path: '/live' },
])('%j is external or invalid', (address) => {
  expect(internalPath(address)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { languageInPath, NO_PREFIX, prefixOf, withoutPrefix, withPrefix } from './language-prefix.ts'

const ENGLISH = { path: '/en', atRoot: false }

test.each([
  ['/en/live', '/live'],
  ['/en', '/'],
  ['/en/', '/'],
  ['/english', '/english'],
  ['/live', '/live'],
  ['/', '/'],
])('V2.3-08 %s is the screen %s', (address, screen) => {
  expect(withoutPrefix(address, ENGLISH)).toBe(screen)
  expect(withoutPrefix(address, NO_PREFIX)).toBe(address)
})

test('V2.3-08 addresses get the language prefix, the root only when configured', () => {
  expect(withPrefix('/live', ENGLISH)).toBe('/en/live')
  expect(withPrefix('/', ENGLISH)).toBe('/')
  expect(withPrefix('/', { ...ENGLISH, atRoot: true })).toBe('/en')
  expect(withPrefix('/live', NO_PREFIX)).toBe('/live')
  expect(prefixOf('fra')).toBe('/fr')
})

test.each([
  ['/en/live', 'eng'],
  ['/fr', 'fra'],
  ['/de/live', undefined],
  ['/enx/live', undefined],
  ['/', undefined],
  ['', undefined],
])('V2.3-08 finds the language of the path %j', (address, language) => {
  expect(languageInPath(address, ['fra', 'eng', 'nonsense'])).toBe(language)
})

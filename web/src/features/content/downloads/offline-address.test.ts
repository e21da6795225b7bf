import { expect, test } from 'vitest'
import { offlinePageInsteadOf, requestedAddress } from './offline-address.ts'

const origin = 'https://tv.test'

test('the offline page remembers the requested address', () => {
  const { hash } = new URL(offlinePageInsteadOf('/verify-email?token=a%2Bb&x=%C3%A9'), origin)
  expect(requestedAddress({ hash, origin })).toBe(`${origin}/verify-email?token=a%2Bb&x=%C3%A9`)
})

test.each([
  '',
  '#',
  '#%',
  '#é',
  `#${btoa('//evil.test/x')}`,
  `#${btoa('https://evil.test')}`,
  `#${btoa('javascript:alert(1)')}`,
])('the fragment "%s" leads home', (hash) => {
  expect(new URL(requestedAddress({ hash, origin })).href).toBe(`${origin}/`)
})

test('a path that begins with two slashes stays on this site', () => {
  const hash = `#${btoa(`${origin}//evil.test/x`)}`
  expect(requestedAddress({ hash, origin })).toBe(`${origin}//evil.test/x`)
})

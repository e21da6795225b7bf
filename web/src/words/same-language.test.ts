import { expect, test } from 'vitest'
import { sameLanguage } from './same-language.ts'

test('codes of two and of three letters identify the same language', () => {
  expect(sameLanguage('fra', 'fr')).toBe(true)
  expect(sameLanguage('en-GB', 'eng')).toBe(true)
  expect(sameLanguage('fra', 'eng')).toBe(false)
  expect(sameLanguage('non', 'non')).toBe(true)
  expect(sameLanguage('', 'fra')).toBe(false)
})

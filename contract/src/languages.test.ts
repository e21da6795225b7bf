import { expect, test } from 'vitest'
import { DEFAULT_LANGUAGE, isLanguage, LANGUAGES, languageTag, localeOf, textDirection } from './languages.ts'

test('V1-14 the tag of fra is fr, that of eng is en, and fra is the default', () => {
  expect(languageTag('fra')).toBe('fr')
  expect(languageTag('eng')).toBe('en')
  expect(DEFAULT_LANGUAGE).toBe('fra')
})

test('V9-18 over 180 languages by three-letter codes, each once', () => {
  expect(new Set(LANGUAGES).size).toBe(LANGUAGES.length)
  expect(LANGUAGES.length).toBeGreaterThan(180)
  const named = [
    'eng',
    'fra',
    'spa',
    'deu',
    'ita',
    'por',
    'ara',
    'hin',
    'nld',
    'tur',
    'pol',
    'ukr',
    'swe',
    'nor',
    'dan',
    'fin',
  ]
  expect(named.filter((code) => !isLanguage(code))).toEqual([])
})

test('V9-18 each has a unique tag and a name', () => {
  const locales = LANGUAGES.map(localeOf)
  expect(new Set(locales.map(({ tag }) => tag)).size).toBe(LANGUAGES.length)
  expect(locales.filter(({ tag, name, ownName }) => name === '' || name === tag || ownName === '')).toEqual(
    [],
  )
})

test.each([
  ['fra', 'fr', 'French', 'Français', 'ltr'],
  ['eng', 'en', 'English', 'English', 'ltr'],
  ['ara', 'ar', 'Arabic', 'العربية', 'rtl'],
  ['heb', 'he', 'Hebrew', 'עברית', 'rtl'],
  ['zho', 'zh', 'Chinese', '中文', 'ltr'],
  // `Intl` does not have the name of the language Afar in Afar.
  ['aar', 'aa', 'Afar', 'Afar', 'ltr'],
] as const)('V9-18 %s', (code, tag, name, ownName, direction) => {
  expect(localeOf(code)).toEqual({ code, tag, name, ownName, direction })
})

test('Arabic, Persian, Urdu and others with their scripts are written from right to left', () => {
  expect(LANGUAGES.filter((code) => textDirection(code) === 'rtl')).toEqual([
    'ara',
    'div',
    'fas',
    'heb',
    'kas',
    'pus',
    'snd',
    'uig',
    'urd',
    'yid',
  ])
})

test.each(['', 'fr', 'FRA', 'xxx', 'fra ', '__proto__', 'toString'])('%j is not a language', (code) => {
  expect(isLanguage(code)).toBe(false)
})

import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { expect, test } from 'vitest'
import { type LanguageWish, languageOfPage, prefixOfPage } from './page-language.ts'

const SETTINGS = DEFAULT_CONFIGURATION.languages

function language(wish: Partial<LanguageWish>, settings: Partial<typeof SETTINGS> = {}) {
  return languageOfPage(
    { pathname: '/live', cookie: undefined, accepted: undefined, ...wish },
    { ...SETTINGS, ...settings },
  )
}

test('V1-14 V9-19 uses the viewer’s choice, else the configured language', () => {
  expect(language({})).toBe('fra')
  expect(language({ cookie: 'eng' })).toBe('eng')
  expect(language({ cookie: 'eng' }, { languages: ['fra'] })).toBe('fra')
  expect(language({ cookie: 'nonsense' })).toBe('fra')
  expect(language({ asked: 'eng', cookie: 'fra' })).toBe('eng')
  expect(language({ asked: 'nonsense', cookie: 'eng' })).toBe('eng')
  expect(language({ asked: null, cookie: 'eng' })).toBe('eng')
  expect(language({}, { default: 'eng' })).toBe('eng')
  expect(language({}, { default: 'deu' })).toBe('fra')
})

test('V2.3-08 the browser’s language counts only on a first visit and when the operator enables it', () => {
  const detect = { detectBrowserLanguage: true }
  expect(language({ accepted: 'en-GB,en;q=0.9,fr;q=0.8' }, detect)).toBe('eng')
  expect(language({ accepted: 'en;q=0.3, fr;q=0.8' }, detect)).toBe('fra')
  expect(language({ accepted: 'de, en;q=0.5' }, detect)).toBe('eng')
  expect(language({ accepted: 'en;q=0, de' }, detect)).toBe('fra')
  expect(language({ accepted: 'en-GB', cookie: 'fra' }, detect)).toBe('fra')
  expect(language({ accepted: 'en-GB' })).toBe('fra')
  expect(language({ accepted: ';;q=,,\u0000=' }, detect)).toBe('fra')
})

test('V2.3-08 a language in the address takes precedence, if addresses have one', () => {
  const prefixed = { urlPrefix: true, detectBrowserLanguage: true }
  expect(language({ pathname: '/en/live', cookie: 'fra', accepted: 'fr' }, prefixed)).toBe('eng')
  expect(language({ pathname: '/en/live', cookie: 'fra' })).toBe('fra')
  expect(language({ pathname: '/de/live', cookie: 'eng' }, prefixed)).toBe('eng')
})

test('V2.3-08 spec 8: addresses have no prefix unless the operator enables it', () => {
  expect(prefixOfPage('eng', SETTINGS)).toEqual({ path: '', atRoot: false })
  expect(prefixOfPage('eng', { ...SETTINGS, urlPrefix: true, redirectRoot: true })).toEqual({
    path: '/en',
    atRoot: true,
  })
})

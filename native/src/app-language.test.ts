import { expect, test } from 'vitest'
import { appLanguage } from './app-language.ts'

const DETECTED = { detectBrowserLanguage: true }

const settings = (changes: object = {}) => ({
  languages: ['fra', 'eng', 'deu'],
  default: 'fra',
  detectBrowserLanguage: false,
  ...changes,
})

test.each([
  ['the configured language', undefined, ['en-GB'], {}, 'fra'],
  ['the choice of the viewer', 'eng', ['fr-FR'], {}, 'eng'],
  ['no choice that is not offered any more', 'spa', ['fr-FR'], { default: 'deu' }, 'deu'],
  ['no choice that is no language', '../x', [], {}, 'fra'],
  ['the first offered language of the device', undefined, ['es', 'de-AT', 'en'], DETECTED, 'deu'],
  ['the configured language if the device has no other', undefined, ['es', ''], DETECTED, 'fra'],
  ['French if none is configured', undefined, [], { languages: [], default: '' }, 'fra'],
])('V9-19 V1-14 the language of the app is %s', (_title, chosen, spoken, changes, language) => {
  expect(appLanguage(chosen, spoken, settings(changes))).toBe(language)
})

test.each([
  ['eng', 'eng'],
  ['constructor', 'fra'],
  [undefined, 'fra'],
])('without the configuration, the choice %j gives %s', (chosen, language) => {
  expect(appLanguage(chosen, ['en'], undefined)).toBe(language)
})

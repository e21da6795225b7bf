import { expect, it } from 'vitest'
import { languageCode } from './language-codes.ts'

it.each([
  ['fr', 'fra'],
  ['fre', 'fra'],
  ['fra', 'fra'],
  ['FR-ca', 'fra'],
  ['pt_BR', 'por'],
  ['ger', 'deu'],
  ['zh-Hant-TW', 'zho'],
  ['qaa', 'qaa'],
])('%s is %s', (name, code) => expect(languageCode(name)).toBe(code))

it.each(['und', 'zxx', '', 'q', 'english', 'xx', '../..', 'fr;', '-'])('%j is not a language', (name) => {
  expect(languageCode(name)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { keepsPolicy, type PasswordPolicy, passwordRules } from './password-policy.ts'

const POLICY: PasswordPolicy = {
  minimumCharacters: 8,
  upperCaseEnabled: true,
  numbersEnabled: true,
  alphabeticalEnabled: true,
  specialCharacterEnabled: true,
  specialCharacters: '!-é',
}
const NOTHING_BUT_LENGTH: PasswordPolicy = {
  ...POLICY,
  upperCaseEnabled: false,
  numbersEnabled: false,
  alphabeticalEnabled: false,
  specialCharacterEnabled: false,
}

test('A5-07 returns only the enabled rules, in a fixed order', () => {
  expect(passwordRules(POLICY, '').map(({ rule }) => rule)).toEqual([
    'minimumCharacters',
    'upperCase',
    'numbers',
    'alphabetical',
    'specialCharacter',
  ])
  expect(passwordRules(NOTHING_BUT_LENGTH, '').map(({ rule }) => rule)).toEqual(['minimumCharacters'])
})

test.each([
  ['', []],
  ['1234567', ['numbers']],
  ['12345678', ['minimumCharacters', 'numbers']],
  ['abcdefgh', ['minimumCharacters', 'alphabetical']],
  ['ÉCRANS', ['upperCase', 'alphabetical']],
  ['!', ['specialCharacter']],
  ['?', []],
  ['Marée-basse7', ['minimumCharacters', 'upperCase', 'numbers', 'alphabetical', 'specialCharacter']],
])('A5-08 A5-09 A5-10 %j satisfies %j', (password, kept) => {
  const rules = passwordRules(POLICY, password)
  expect(rules.filter((each) => each.kept).map(({ rule }) => rule)).toEqual(kept)
  expect(keepsPolicy(POLICY, password)).toBe(kept.length === rules.length)
})

import { expect, test } from 'vitest'
import { words } from '../../words/words.ts'
import { faultsOf } from './sign-in.ts'

test.each([
  ['a@example.org', 'secret', {}],
  ['', 'secret', { username: 'required' }],
  ['   ', '', { username: 'required', password: 'required' }],
  ['a@example', 'secret', { username: 'invalidEmail' }],
  ['a b@example.org', 'secret', { username: 'invalidEmail' }],
  ['a@example.org', ' ', {}],
])('A5-02 A5-05 what is wrong with %j and %j', (username, password, faults) => {
  expect(faultsOf({ username, password })).toEqual(faults)
})

test('A5-02 A5-05 the faults in words, in both languages', () => {
  expect(words('fra').t('signIn.required')).toBe('Champ obligatoire')
  expect(words('eng').t('signIn.required')).toBe('Required field')
  expect(words('fra').t('signIn.invalidEmail')).toBe('Email invalide')
})

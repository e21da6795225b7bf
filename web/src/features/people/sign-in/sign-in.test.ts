import { expect, test } from 'vitest'
import { schemaFaults } from '../../../forms/schema-faults.ts'
import { signInForm } from '../../viewing/accounts/sign-in.schema.ts'

test.each([
  ['a@example.org', 'secret', {}],
  ['', 'secret', { username: 'requiredField' }],
  ['   ', '', { username: 'requiredField', password: 'requiredField' }],
  ['a@example', 'secret', { username: 'invalidEmail' }],
  ['a b@example.org', 'secret', { username: 'invalidEmail' }],
  ['a@example.', 'secret', { username: 'invalidEmail' }],
  ['@example.org', 'secret', { username: 'invalidEmail' }],
  ['a@example.org', ' ', {}],
])('A5-02 A5-05 the faults of %j and %j', (username, password, faults) => {
  const { error } = signInForm.safeParse({ username, password })
  expect(schemaFaults(error?.issues ?? [], { username, password })).toEqual(faults)
})

test('trims spaces around an address, and keeps them around a password', () => {
  expect(signInForm.parse({ username: ' a@example.org ', password: ' a ' })).toEqual({
    username: 'a@example.org',
    password: ' a ',
  })
})

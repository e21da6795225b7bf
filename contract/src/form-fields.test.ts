import { expect, test } from 'vitest'
import * as z from 'zod'
import { emailAddress, fourDigits, newPassword, phoneNumber, requiredText, sameAs } from './form-fields.ts'
import type { PasswordPolicy } from './password-policy.ts'

/** Returns the faults of a value, by field. */
function faults(schema: z.ZodType, value: unknown): string[] {
  return schema.safeParse(value).error?.issues.map(({ path, message }) => [...path, message].join(' ')) ?? []
}

test.each(['a@b.fr', 'first.last+tag@sub.example.org', "o'neil_%/{x}@b.fr", 'é@exemple.fr', ' a@b.fr '])(
  'A5-05 %j is an address',
  (value) => {
    expect(faults(emailAddress, value)).toEqual([])
  },
)

test.each(['a', 'a@', '@b.fr', 'a@b', 'a@b.', 'a b@c.fr', 'a@b c.fr', 'a@@b.fr'])(
  'A5-05 %j is not an address',
  (value) => {
    expect(faults(emailAddress, value)).toEqual(['invalidEmail'])
  },
)

test.each(['"', '(', ')', ',', ':', ';', '<', '>', '[', ']', '\\'])(
  'A5-05 %j is not part of an address, because a mailer reads it as syntax',
  (special) => {
    for (const value of [`a${special}b@c.fr`, `a@b${special}c.fr`, `a@b.f${special}r`])
      expect(faults(emailAddress, value), value).toEqual(['invalidEmail'])
  },
)

test.each(['', ' ', '\n'])('A5-02 %j is not filled in', (value) => {
  expect(faults(requiredText(10), value)).toContain('requiredField')
})

test('reports a text that is too long', () => {
  expect(faults(requiredText(3), 'abcd')).toEqual(['tooLong'])
})

const account = z
  .object({ email: emailAddress, emailConfirm: requiredText(254) })
  .check(sameAs('email', 'emailConfirm', 'emailsDiffer'))

test('A5-06 the confirmation must equal the first address', () => {
  expect(faults(account, { email: 'a@b.fr', emailConfirm: 'a@b.fr ' })).toEqual([])
  expect(faults(account, { email: 'a@b.fr', emailConfirm: 'b@a.fr' })).toEqual(['emailConfirm emailsDiffer'])
})

test('A5-06 a confirmation that was not filled in is required, not different', () => {
  expect(faults(account, { email: 'a@b.fr', emailConfirm: '' })).toEqual(['emailConfirm requiredField'])
})

test.each([
  ['', []],
  ['0612345678', []],
  ['06 12 34 56 78', []],
  ['06 12 34 56 7', ['invalidPhone']],
  ['06 12 34 56 78 9', ['invalidPhone']],
  ['zero six', ['invalidPhone']],
])('A5-16 the telephone number %j', (value, found) => {
  expect(faults(phoneNumber, value)).toEqual(found)
})

test.each([
  ['2580', []],
  ['258', ['fourDigits']],
  ['25800', ['fourDigits']],
  ['25a0', ['fourDigits']],
])('the code %j', (value, found) => {
  expect(faults(fourDigits, value)).toEqual(found)
})

const POLICY: PasswordPolicy = {
  minimumCharacters: 8,
  upperCaseEnabled: true,
  numbersEnabled: true,
  alphabeticalEnabled: false,
  specialCharacterEnabled: false,
  specialCharacters: '!',
}

test.each([
  ['Ondine-2026', []],
  ['', ['requiredField']],
  ['ondine-2026', ['passwordPolicy']],
  ['Ondine', ['passwordPolicy']],
  ['       A1', []],
])('the new password %j', (value, found) => {
  expect(faults(newPassword(POLICY), value)).toEqual(found)
})

test('a password and its confirmation differ even by a space', () => {
  const twice = z
    .object({ password: z.string(), confirm: z.string() })
    .check(sameAs('password', 'confirm', 'passwordsDiffer'))
  expect(faults(twice, { password: 'a b', confirm: 'a b' })).toEqual([])
  expect(faults(twice, { password: 'a b', confirm: 'a b ' })).toEqual(['confirm passwordsDiffer'])
})

test('A5-06 checks the confirmations of both the address and the password', () => {
  const all = z
    .object({ email: z.string(), emailConfirm: z.string(), password: z.string(), confirm: z.string() })
    .check(sameAs('email', 'emailConfirm', 'emailsDiffer'), sameAs('password', 'confirm', 'passwordsDiffer'))
  expect(faults(all, { email: 'a', emailConfirm: 'b', password: 'c', confirm: 'd' })).toEqual([
    'emailConfirm emailsDiffer',
    'confirm passwordsDiffer',
  ])
})

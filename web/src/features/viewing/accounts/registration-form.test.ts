import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { expect, test } from 'vitest'
import { schemaFaults } from '../../../forms/schema-faults.ts'
import { registrationSchema } from './registration.schema.ts'
import { accountOf, birthDateOf, EMPTY_REGISTRATION, SECTIONS, typedBirthDate } from './registration-form.ts'

const NOW = Date.UTC(2026, 0, 15)
const FILLED = {
  ...EMPTY_REGISTRATION,
  firstName: 'Éléonore',
  lastName: 'd’Aubigné',
  email: 'a@example.org',
  emailConfirm: 'a@example.org',
  password: 'Ondine-2026!',
  passwordConfirm: 'Ondine-2026!',
  acceptTerms: true,
}

function faults(changes: Partial<typeof FILLED>, registration = DEFAULT_CONFIGURATION.registration) {
  const values = { ...FILLED, ...changes }
  return schemaFaults(registrationSchema(registration, NOW).safeParse(values).error?.issues ?? [], values)
}

test('A3-07 the sections are in their order, with the agreements in the second', () => {
  expect(SECTIONS.map(({ section }) => section)).toEqual(['signUp', 'contact', 'adresse'])
  expect(SECTIONS[1].fields.slice(-2)).toEqual(['allowNews', 'acceptTerms'])
})

test('A5-11 A5-17 requires the mandatory fields', () => {
  expect(faults(EMPTY_REGISTRATION)).toEqual({
    firstName: 'requiredField',
    lastName: 'requiredField',
    email: 'requiredField',
    emailConfirm: 'requiredField',
    password: 'requiredField',
    passwordConfirm: 'requiredField',
    acceptTerms: 'requiredField',
  })
  expect(faults({})).toEqual({})
})

test('A5-06 A5-11 asks for e-mail and password twice, unless the operator asks for them once', () => {
  expect(faults({ emailConfirm: 'b@example.org', passwordConfirm: 'Ondine-2027!' })).toEqual({
    emailConfirm: 'emailsDiffer',
    passwordConfirm: 'passwordsDiffer',
  })
  const once = { ...DEFAULT_CONFIGURATION.registration, repeat: [] }
  expect(faults({ emailConfirm: '', passwordConfirm: '' }, once)).toEqual({})
})

test('A5-12 requires other fields if the mandatory list contains them', () => {
  const registration = {
    ...DEFAULT_CONFIGURATION.registration,
    fields: ['title' as const],
    mandatory: ['phoneNumber' as const, 'addressCity' as const],
  }
  expect(faults({}, registration)).toEqual({
    phoneNumber: 'requiredField',
    addressCity: 'requiredField',
  })
})

test.each([
  [{ birthdate: '31/02/1990' }, { birthdate: 'invalid' }],
  [{ birthdate: '1/1/2999' }, { birthdate: 'invalid' }],
  [{ birthdate: '8/2/1990' }, {}],
  [{ emailConfirm: 'b@example.org' }, { emailConfirm: 'emailsDiffer' }],
  [{ phoneNumber: '06 12' }, { phoneNumber: 'invalidPhone' }],
])('%j: %j', (changes, found) => {
  expect(faults(changes)).toEqual(found)
})

test('A5-13 A5-14 sends no second address, - for missing parts of the street, a blank telephone, and accepted terms', () => {
  const sent = accountOf({ ...FILLED, acceptTerms: false, addressStreet: 'Rue de la Mer' })
  expect(sent).not.toHaveProperty('emailConfirm')
  expect(sent).toMatchObject({
    acceptTerms: true,
    addressStreet: 'Rue de la Mer',
    addressSecondStreet: '-',
    addressThirdStreet: '-',
    phoneNumber: '',
    dateofbirth: '',
  })
})

test.each([
  ['8/2/1990', '1990-02-08'],
  ['28/02/1990', '1990-02-28'],
  ['8 2 1990', '1990-02-08'],
  ['', ''],
  ['soon', 'soon'],
])('A5-15 sends the day %j as %j', (typed, sent) => {
  expect(birthDateOf(typed)).toBe(sent)
})

test('formats a day as it is typed', () => {
  expect(typedBirthDate('1990-02-08')).toBe('08/02/1990')
  expect(typedBirthDate('')).toBe('')
})

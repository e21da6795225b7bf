import type { createAccount } from '@ondine/contract/account-calls'
import { type AccountField, ADDRESS_FIELDS, NO_LINE } from '@ondine/contract/account-names'
import type { InputOf } from '@ondine/contract/operation'

/** What stands in the form of a new account (A3-05, A3-06): all of it text, but what is agreed to. */
export type RegistrationValues = Record<AccountField, string> & {
  firstName: string
  email: string
  emailConfirm: string
  password: string
  passwordConfirm: string
  allowNews: boolean
  acceptTerms: boolean
}

/** An empty form. */
export const EMPTY_REGISTRATION: RegistrationValues = {
  title: '',
  lastName: '',
  firstName: '',
  email: '',
  emailConfirm: '',
  password: '',
  passwordConfirm: '',
  phoneNumber: '',
  birthdate: '',
  language: '',
  allowNews: false,
  acceptTerms: false,
  addressStreet: '',
  addressSecondStreet: '',
  addressThirdStreet: '',
  addressNumber: '',
  addressCity: '',
  addressState: '',
  addressZip: '',
  addressCountry: '',
}

/** The sections of the form in their rank (A3-07); of the fields the configuration shows some. */
export const SECTIONS = [
  {
    section: 'signUp',
    fields: ['title', 'firstName', 'lastName', 'email', 'emailConfirm', 'password', 'passwordConfirm'],
  },
  { section: 'contact', fields: ['phoneNumber', 'birthdate', 'language', 'allowNews', 'acceptTerms'] },
  { section: 'adresse', fields: ADDRESS_FIELDS },
] as const satisfies { section: string; fields: readonly (keyof RegistrationValues)[] }[]

/** A day as it is typed, 8/2/1990, as year-month-day padded to two digits (A5-15); what is no day stays as it is. */
export function birthDateOf(typed: string): string {
  const [, day = '', month = '', year = ''] = /^\s*(\d{1,2})\D+(\d{1,2})\D+(\d{4})\s*$/.exec(typed) ?? []
  return year === '' ? typed.trim() : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** The day of {@link birthDateOf} as it is typed. */
export function typedBirthDate(date: string): string {
  return date.split('-').toReversed().join('/')
}

/**
 * The call for a new account: without the second address, the terms accepted, missing parts of the street as '-', the
 * telephone blank where it was not given (A5-13, A5-14, A5-15). The call takes the password twice, whether or not the form
 * asks for it twice.
 */
export function accountOf(values: RegistrationValues): InputOf<typeof createAccount> {
  const { emailConfirm: _, birthdate, title, language, ...fields } = values
  return {
    ...fields,
    passwordConfirm: fields.passwordConfirm || fields.password,
    addressStreet: fields.addressStreet || NO_LINE,
    addressSecondStreet: fields.addressSecondStreet || NO_LINE,
    addressThirdStreet: fields.addressThirdStreet || NO_LINE,
    phoneNumber: fields.phoneNumber.replaceAll(' ', ''),
    dateofbirth: birthDateOf(birthdate),
    acceptTerms: true,
    // The choices of the form are those of the contract: its schema was asked before.
    title: title as InputOf<typeof createAccount>['title'],
    language: language as InputOf<typeof createAccount>['language'],
  }
}

import type { createAccount } from '@ondine/contract/account-calls'
import { type AccountField, ADDRESS_FIELDS, NO_LINE } from '@ondine/contract/account-names'
import type { InputOf } from '@ondine/contract/operation'

/**
 * The values of the form of a new account (A3-05, A3-06). The agreements are booleans, and all other values are
 * texts.
 */
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

/** The sections of the form, in order (A3-07). The configuration selects the fields that are shown. */
export const SECTIONS = [
  {
    section: 'signUp',
    fields: ['title', 'firstName', 'lastName', 'email', 'emailConfirm', 'password', 'passwordConfirm'],
  },
  { section: 'contact', fields: ['phoneNumber', 'birthdate', 'language', 'allowNews', 'acceptTerms'] },
  { section: 'adresse', fields: ADDRESS_FIELDS },
] as const satisfies { section: string; fields: readonly (keyof RegistrationValues)[] }[]

/** Converts a typed day such as 8/2/1990 to `1990-02-08` (A5-15). Returns any other text unchanged. */
export function birthDateOf(typed: string): string {
  const [, day = '', month = '', year = ''] = /^\s*(\d{1,2})\D+(\d{1,2})\D+(\d{4})\s*$/.exec(typed) ?? []
  return year === '' ? typed.trim() : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** Converts a day such as `1990-02-08` to the form in which viewers type it: `08/02/1990`. */
export function typedBirthDate(date: string): string {
  return date.split('-').toReversed().join('/')
}

/**
 * Returns the input of the call that creates an account, from the values of the form (A5-13 to A5-15). Omits the
 * repeated e-mail address, and states that the terms are accepted. Each missing address line is `-`. A missing
 * telephone number is empty. The password is always included twice, even if the form has only one field for it.
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
    // `as`, because the form offers only choices of the contract, and the form's schema has validated the choice.
    title: title as InputOf<typeof createAccount>['title'],
    language: language as InputOf<typeof createAccount>['language'],
  }
}

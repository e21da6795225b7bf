import type { TFunction } from 'i18next'
import type { ApiError } from '../../../api/api-error.ts'

/** The field of the form to which an error of the account provider belongs, by the error's code (A8.2-02). */
const FIELDS: Record<number, string> = { [-30]: 'name', [-1000]: 'name', [-181]: 'addressCountry' }

/**
 * Texts for errors of the account provider, by code. The account's forms show this text instead of the general
 * alert for the code (A8.2).
 */
const TEXTS = {
  [-1]: 'signInInvalid',
  [-3000]: 'signInInvalid',
  [-440]: 'tooManySessions',
  [-14005]: 'offerIncompatible',
  [-30]: 'nameExists',
  [-1000]: 'nameExists',
  [-181]: 'countryInvalid',
  [-3054]: 'profileLimit',
  [-10]: 'passwordTooShort',
  [-11]: 'passwordsMismatch',
  [-12]: 'invalidCharacter',
  [-18]: 'passwordPolicy',
  [-19]: 'passwordSameAsLast',
  [-2363]: 'unknown',
  [-1057]: 'unknown',
  [-2]: 'unknown',
} as const satisfies Record<number, string>

/**
 * Returns the text and the field of the account provider's error, for a form of an account. Undefined for an error
 * without a text here. Such an error has a general text (A8.2, spec 40).
 */
export function providerError(
  error: ApiError,
  t: TFunction,
): { field: string | null; text: string } | undefined {
  const name = Object.entries(TEXTS).find(([code]) => Number(code) === error.code)?.[1]
  return name === undefined ? undefined : { field: FIELDS[error.code] ?? null, text: t(`errors.${name}`) }
}

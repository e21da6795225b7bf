import type { TFunction } from 'i18next'
import { ApiError } from '../../api/api-error.ts'

/** The field that an error of the account provider is about (A8.2-02). */
const FIELDS: Record<number, string> = { [-30]: 'name', [-1000]: 'name', [-181]: 'addressCountry' }

/** What an error of the account provider says in its own flow, where the alert of its code would say less (A8.2). */
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
 * What a form of an account says of an error of the account provider, and of which field. Undefined for an error of the
 * service that no such flow has words for: those of its code hold (A8.2, decision 40).
 */
export function providerError(
  error: unknown,
  t: TFunction,
): { field: string | null; text: string } | undefined {
  if (!(error instanceof ApiError)) return { field: null, text: t('errors.unknown') }
  const name = Object.entries(TEXTS).find(([code]) => Number(code) === error.code)?.[1]
  return name === undefined ? undefined : { field: FIELDS[error.code] ?? null, text: t(`errors.${name}`) }
}

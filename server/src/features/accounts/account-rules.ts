import { type AccountField, isPast } from '@ondine/contract/account-names'
import type { Configuration } from '@ondine/contract/configuration'
import { isCountry } from '@ondine/contract/countries'
import type { FieldFault } from '@ondine/contract/field-faults'
import { keepsPolicy, type PasswordPolicy } from '@ondine/contract/password-policy'
import { invalidFields, ServiceError } from '../../http/errors.ts'

/** @throws ServiceError `newPasswordPolicy` for a password that breaks a rule of the storefront (A5-07 to A5-10). */
export function requirePolicy(policy: PasswordPolicy, password: string): void {
  if (!keepsPolicy(policy, password)) {
    const fields = [{ field: 'password', message: 'passwordPolicy' satisfies FieldFault }]
    throw new ServiceError('newPasswordPolicy', { fields })
  }
}

/** @throws ServiceError that names what the storefront's mandatory list asks for and was not given (A5-12). */
export function requireMandatory(
  registration: Configuration['registration'],
  given: Partial<Record<AccountField, string>>,
): void {
  const missing = registration.mandatory.filter((field) => (given[field] ?? '') === '')
  if (missing.length > 0)
    throw invalidFields(missing.map((field) => ({ field, message: 'requiredField' satisfies FieldFault })))
}

/** @throws ServiceError for a day of birth that is still to come. */
export function requireBorn(birthdate: string, field: string, now: number): void {
  if (!isPast(birthdate, now)) throw invalidFields([{ field, message: 'invalid' satisfies FieldFault }])
}

/** @throws ServiceError `countryInvalid` for what is no country of ISO 3166-1 (A8.2-02). */
export function requireCountry(code: string): void {
  if (code !== '' && !isCountry(code)) throw new ServiceError('countryInvalid')
}

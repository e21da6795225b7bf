import { type AccountField, isPast } from '@ondine/contract/account-names'
import type { Configuration } from '@ondine/contract/configuration'
import { isCountry } from '@ondine/contract/countries'
import type { FieldFault } from '@ondine/contract/field-faults'
import { keepsPolicy, type PasswordPolicy } from '@ondine/contract/password-policy'
import { invalidFields, ServiceError } from '../../../http/errors.ts'

/** Enforces the storefront's password policy (A5-07 to A5-10). @throws ServiceError `newPasswordPolicy` */
export function requirePolicy(policy: PasswordPolicy, password: string): void {
  if (!keepsPolicy(policy, password)) {
    const fields = [{ field: 'password', message: 'passwordPolicy' satisfies FieldFault }]
    throw new ServiceError('newPasswordPolicy', { fields })
  }
}

/**
 * Requires every field that the storefront makes mandatory (A5-12). @throws ServiceError that names the missing fields
 */
export function requireMandatory(
  registration: Configuration['registration'],
  given: Partial<Record<AccountField, string>>,
): void {
  const missing = registration.mandatory.filter((field) => (given[field] ?? '') === '')
  if (missing.length > 0)
    throw invalidFields(missing.map((field) => ({ field, message: 'requiredField' satisfies FieldFault })))
}

/** Rejects a date of birth in the future. @throws ServiceError */
export function requireBorn(birthdate: string, field: string, now: number): void {
  if (!isPast(birthdate, now)) throw invalidFields([{ field, message: 'invalid' satisfies FieldFault }])
}

/** Rejects a code that is not a country of ISO 3166-1 (A8.2-02). @throws ServiceError `countryInvalid` */
export function requireCountry(code: string): void {
  if (code !== '' && !isCountry(code)) throw new ServiceError('countryInvalid')
}

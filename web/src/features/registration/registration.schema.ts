import { ACCOUNT_SHAPE, IDENTITY_SHAPE } from '@ondine/contract/account-fields'
import { type AccountField, isMandatory, isPast } from '@ondine/contract/account-names'
import type { Configuration } from '@ondine/contract/configuration'
import type { FieldFault } from '@ondine/contract/field-faults'
import { newPassword, requiredText, sameAs } from '@ondine/contract/form-fields'
import * as z from 'zod'
import { birthDateOf } from './registration-form.ts'

const required: FieldFault = 'requiredField'
const invalid: FieldFault = 'invalid'
const MAX_EMAIL = 254

/** What a new account is checked by (A5-11, A5-12, A5-17). @param now milliseconds since the epoch */
export function registrationSchema(registration: Configuration['registration'], now: number) {
  return z
    .object({
      ...accountShape(registration, now),
      ...IDENTITY_SHAPE,
      emailConfirm: requiredText(MAX_EMAIL),
      password: newPassword(registration.passwordPolicy),
      passwordConfirm: z.string().min(1, required),
      allowNews: z.boolean(),
      acceptTerms: z.boolean().refine((accepted) => accepted, required),
    })
    .check(
      sameAs('email', 'emailConfirm', 'emailsDiffer'),
      sameAs('password', 'passwordConfirm', 'passwordsDiffer'),
    )
}

/** The fields that the configuration may make mandatory, as they are typed. */
export function accountShape(
  registration: Pick<Configuration['registration'], 'fields' | 'mandatory'>,
  now: number,
): Record<AccountField, z.ZodType<string, string>> {
  const shape: Record<AccountField, z.ZodType<string, string>> = {
    ...ACCOUNT_SHAPE,
    // As it is typed; what is sent has another order.
    birthdate: z.string().refine((typed) => {
      const date = birthDateOf(typed)
      return ACCOUNT_SHAPE.birthdate.safeParse(date).success && isPast(date, now)
    }, invalid),
  }
  const names = Object.keys(shape) as AccountField[]
  return Object.fromEntries(
    names.map((name) => [
      name,
      isMandatory(name, registration)
        ? shape[name].refine((value) => value.trim() !== '', required)
        : shape[name],
    ]),
  ) as Record<AccountField, z.ZodType<string, string>>
}

import { ACCOUNT_SHAPE, REGISTRATION_SHAPE } from '@ondine/contract/account-fields'
import { type AccountField, isPast } from '@ondine/contract/account-names'
import type { Configuration } from '@ondine/contract/configuration'
import type { FieldFault } from '@ondine/contract/field-faults'
import { newPassword, requiredText, sameAs } from '@ondine/contract/form-fields'
import * as z from 'zod'
import { birthDateOf } from './registration-form.ts'

const required: FieldFault = 'requiredField'
const invalid: FieldFault = 'invalid'
const MAX_EMAIL = 254

/** Validates the form of a new account (A5-11, A5-12, A5-17). @param now milliseconds since the Unix epoch */
export function registrationSchema(registration: Configuration['registration'], now: number) {
  const repeatsEmail = registration.repeat.includes('email')
  const repeatsPassword = registration.repeat.includes('password')
  return z
    .object({
      ...accountShape(registration, now),
      ...REGISTRATION_SHAPE,
      emailConfirm: repeatsEmail ? requiredText(MAX_EMAIL) : z.string(),
      password: newPassword(registration.passwordPolicy),
      passwordConfirm: repeatsPassword ? z.string().min(1, required) : z.string(),
      allowNews: z.boolean(),
      acceptTerms: z.boolean().refine((accepted) => accepted, required),
    })
    .check(
      // If the form does not repeat a field, the missing repetition counts as equal.
      sameAs('email', 'emailConfirm', 'emailsDiffer'),
      sameAs('password', 'passwordConfirm', 'passwordsDiffer'),
    )
}

/**
 * Returns the schemas of the fields that the configuration can require. The schemas validate values as the viewer
 * types them.
 */
export function accountShape(
  { mandatory }: Pick<Configuration['registration'], 'mandatory'>,
  now: number,
): Record<AccountField, z.ZodType<string, string>> {
  const shape: Record<AccountField, z.ZodType<string, string>> = {
    ...ACCOUNT_SHAPE,
    // Validates the typed form of the day. The call sends the day in another form.
    birthdate: z.string().refine((typed) => {
      const date = birthDateOf(typed)
      return ACCOUNT_SHAPE.birthdate.safeParse(date).success && isPast(date, now)
    }, invalid),
  }
  const names = Object.keys(shape) as AccountField[]
  return Object.fromEntries(
    names.map((name) => [
      name,
      mandatory.includes(name) ? shape[name].refine((value) => value.trim() !== '', required) : shape[name],
    ]),
  ) as Record<AccountField, z.ZodType<string, string>>
}

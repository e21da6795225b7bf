import { IDENTITY_SHAPE } from '@ondine/contract/account-fields'
import type { Configuration } from '@ondine/contract/configuration'
import { accountEmail } from '@ondine/contract/form-fields'
import * as z from 'zod'
import { type EmailHolder, needsPassword } from './new-email.ts'
import { accountShape } from './registration.schema.ts'

/** Validates a change of the account details. @param now milliseconds since the Unix epoch */
export function informationsForm(
  registration: Configuration['registration'],
  account: EmailHolder,
  now: number,
) {
  // The service checks a new address. The present one may have special characters.
  const fields = { ...accountShape(registration, now), ...IDENTITY_SHAPE, email: accountEmail }
  return z
    .object({ ...fields, allowNews: z.boolean(), currentPassword: z.string() })
    .refine(({ email, currentPassword }) => currentPassword !== '' || !needsPassword(account, email), {
      path: ['currentPassword'],
      message: 'requiredField',
    })
}

import {
  emailAddress,
  fourDigits,
  newPassword,
  phoneNumber,
  requiredText,
  sameAs,
} from '@ondine/contract/form-fields'
import type { PasswordPolicy } from '@ondine/contract/password-policy'
import * as z from 'zod'

/** Validates the gallery's form, which has one example of each general rule of forms. */
export function galleryForm(policy: PasswordPolicy) {
  return z
    .object({
      email: emailAddress,
      emailConfirm: requiredText(254),
      language: requiredText(3),
      phoneNumber,
      zip: requiredText(10),
      password: newPassword(policy),
      passwordConfirm: requiredText(200),
      code: fourDigits,
    })
    .check(sameAs('email', 'emailConfirm', 'emailsDiffer'))
    .check(sameAs('password', 'passwordConfirm', 'passwordsDiffer'))
}

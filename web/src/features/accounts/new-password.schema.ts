import { newPassword, sameAs } from '@ondine/contract/form-fields'
import type { PasswordPolicy } from '@ondine/contract/password-policy'
import * as z from 'zod'

/** What a new password is checked by (A5-07). */
export function newPasswordForm(policy: PasswordPolicy) {
  return z
    .object({ password: newPassword(policy), passwordConfirm: z.string().min(1) })
    .check(sameAs('password', 'passwordConfirm', 'passwordsDiffer'))
}

/** What a change of the password is checked by: the new one as everywhere, and the current one. */
export function changePasswordForm(policy: PasswordPolicy) {
  return newPasswordForm(policy).safeExtend({ currentPassword: z.string().min(1) })
}

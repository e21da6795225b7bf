import { newPassword, sameAs } from '@ondine/contract/form-fields'
import type { PasswordPolicy } from '@ondine/contract/password-policy'
import * as z from 'zod'

/** Validates a new password (A5-07). */
export function newPasswordForm(policy: PasswordPolicy) {
  return z
    .object({ password: newPassword(policy), passwordConfirm: z.string().min(1) })
    .check(sameAs('password', 'passwordConfirm', 'passwordsDiffer'))
}

/**
 * Validates the form that changes the password. The current password must not be empty. The new password must
 * follow the rules.
 */
export function changePasswordForm(policy: PasswordPolicy) {
  return newPasswordForm(policy).safeExtend({ currentPassword: z.string().min(1) })
}

import * as z from 'zod'
import type { FieldFault } from './field-faults.ts'
import { keepsPolicy, type PasswordPolicy } from './password-policy.ts'

/** Longest e-mail address that can be delivered (RFC 5321, 4.5.3.1.3), in characters. */
const MAX_EMAIL = 254

/** Returns the schema of a required text. Surrounding space is removed (A5-02). */
export function requiredText(max: number) {
  return z.string().trim().min(1, fault('requiredField')).max(max, fault('tooLong'))
}

/**
 * A new e-mail address of the basic form: something, an at sign, and a host with a dot (A5-05). Invisible characters
 * are not allowed. Neither are the special characters of RFC 5322 (3.2.3) besides the dot, because a mailer reads them
 * as syntax: a comma would separate two recipients.
 */
export const emailAddress = requiredText(MAX_EMAIL).regex(
  /^[^\s@\p{C}"(),:;<>[\]\\]+@[^\s@\p{C}"(),:;<>[\]\\]+\.[^\s@.\p{C}"(),:;<>[\]\\]+$/u,
  fault('invalidEmail'),
)

/** The e-mail address of an account, of the basic form (A5-05). Migrated accounts may have special characters. */
export const accountEmail = requiredText(MAX_EMAIL).regex(
  /^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@.\p{C}]+$/u,
  fault('invalidEmail'),
)

/** A code of exactly four digits (A5-18, spec 28). */
export const fourDigits = z
  .string()
  .min(1, fault('requiredField'))
  .regex(/^\d{4}$/, fault('fourDigits'))

/** Ten digits, with the spaces of {@link phoneMask} or without. May be empty (A5-16). */
export const phoneNumber = z
  .string()
  .transform((value) => value.replaceAll(' ', ''))
  .refine((value) => value === '' || /^\d{10}$/.test(value), fault('invalidPhone'))

/**
 * Returns the schema of a new password. It is required, and must satisfy all rules of the policy (A5-07).
 * Leading and trailing spaces are kept.
 */
export function newPassword(policy: PasswordPolicy) {
  return z
    .string()
    .min(1, fault('requiredField'))
    .refine((password) => password === '' || keepsPolicy(policy, password), fault('passwordPolicy'))
}

/**
 * Returns a check that two fields of a form are equal: `sameAs('email', 'emailConfirm', 'emailsDiffer')` (A5-06).
 * The second field gets the fault. The check ignores an empty second field, because the schema requires that field
 * anyway.
 */
export function sameAs<Name extends string>(
  first: Name,
  second: Name,
  message: Extract<FieldFault, 'emailsDiffer' | 'passwordsDiffer'>,
) {
  return (payload: z.core.ParsePayload<Record<Name, string>>): void => {
    const { value } = payload
    if (value[second].trim() === '') return
    // Surrounding space is not part of an e-mail address, but is part of a password.
    const given = [value[first], value[second]].map((each) =>
      message === 'emailsDiffer' ? each.trim() : each,
    )
    if (given[0] === given[1]) return
    // `continue` is set, because otherwise Zod would skip the checks of the other pairs.
    payload.issues.push({ code: 'custom', message, path: [second], input: value[second], continue: true })
  }
}

function fault(name: FieldFault): FieldFault {
  return name
}

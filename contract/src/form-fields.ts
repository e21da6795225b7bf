import * as z from 'zod'
import type { FieldFault } from './field-faults.ts'
import { keepsPolicy, type PasswordPolicy } from './password-policy.ts'

/** Longest address of e-mail that can be delivered (RFC 5321, 4.5.3.1.3). */
const MAX_EMAIL = 254

/** Text that must be there, without the space around it (A5-02). */
export function requiredText(max: number) {
  return z.string().trim().min(1, fault('requiredField')).max(max, fault('tooLong'))
}

/** An address of the basic pattern: something, an at sign, a host with a dot (A5-05). Nothing in it is invisible. */
export const emailAddress = requiredText(MAX_EMAIL).regex(
  /^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@.\p{C}]+$/u,
  fault('invalidEmail'),
)

/** A code of exactly four digits (A5-18, decision 28). */
export const fourDigits = z
  .string()
  .min(1, fault('requiredField'))
  .regex(/^\d{4}$/, fault('fourDigits'))

/** Ten digits, as {@link phoneMask} of the forms writes them or without spaces; empty is allowed (A5-16). */
export const phoneNumber = z
  .string()
  .transform((value) => value.replaceAll(' ', ''))
  .refine((value) => value === '' || /^\d{10}$/.test(value), fault('invalidPhone'))

/** A password that is chosen: it must be there, and keep every rule of the policy (A5-07). Spaces belong to it. */
export function newPassword(policy: PasswordPolicy) {
  return z
    .string()
    .min(1, fault('requiredField'))
    .refine((password) => password === '' || keepsPolicy(policy, password), fault('passwordPolicy'))
}

/**
 * Adds to a form that a field must be given twice, alike: `sameAs('email', 'emailConfirm', 'emailsDiffer')` (A5-06). The
 * fault stands on the second. An empty one is a required field instead.
 */
export function sameAs<Name extends string>(
  first: Name,
  second: Name,
  message: Extract<FieldFault, 'emailsDiffer' | 'passwordsDiffer'>,
) {
  return (payload: z.core.ParsePayload<Record<Name, string>>): void => {
    const { value } = payload
    if (value[second].trim() === '') return
    // The space around an address is not a part of it, that around a password is.
    const given = [value[first], value[second]].map((each) =>
      message === 'emailsDiffer' ? each.trim() : each,
    )
    if (given[0] === given[1]) return
    // Without `continue` what is to be alike besides would not be looked at.
    payload.issues.push({ code: 'custom', message, path: [second], input: value[second], continue: true })
  }
}

function fault(name: FieldFault): FieldFault {
  return name
}

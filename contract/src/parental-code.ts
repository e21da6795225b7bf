import * as z from 'zod'
import { accountPassword } from './account-password.ts'
import { ACCOUNTS } from './constants.ts'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'

/** A parental code: exactly four digits (A3-12, A5-18). */
const parentalCode = z
  .string()
  .regex(
    new RegExp(`^\\d{${ACCOUNTS.parentalCodeDigits}}$`),
    `must have ${ACCOUNTS.parentalCodeDigits} digits`,
  )

/** Returns whether the account has a parental code. The code itself never leaves the service (A7.1-18, spec 28). */
export const adultCode = operation({
  method: 'POST',
  path: '/proxy/adultCode',
  as: 'account',
  child: 'allowed',
  summary: 'Whether the account has a parental code.',
  input: z.object({}),
  output: z.object({ set: z.boolean() }),
})

/**
 * Sets the parental code. If the account has a code already, the call must contain that code, or the password of the
 * account in its place (A7.1-19). Only the default profile may set the code. The code applies to all profiles (A6-04).
 */
export const setAdultCode = operation({
  method: 'POST',
  path: '/proxy/setAdultCode',
  as: 'profile',
  summary: 'Sets or changes the parental code.',
  input: z.object({
    adultCode: parentalCode,
    currentAdultCode: parentalCode.optional(),
    /** For a forgotten code. Ignored if the call contains the existing code. */
    currentPassword: accountPassword.optional(),
    parentalProof,
  }),
  output: z.null(),
  errors: ['forbidden', 'notFound', 'invalidAccessCode', 'signInFailed', 'slowDown'],
})

/**
 * Checks the parental code and returns a short-lived token (the proof of the code) for other calls (A7.1-20, spec
 * 28).
 */
export const validateAdultCode = operation({
  method: 'POST',
  path: '/proxy/validateAdultCode',
  as: 'account',
  child: 'allowed',
  summary: 'Checks the parental code, and returns a proof of it for other calls.',
  input: z.object({ parentalCode }),
  output: z.string(),
  errors: ['invalidAccessCode', 'slowDown', 'notFound'],
})

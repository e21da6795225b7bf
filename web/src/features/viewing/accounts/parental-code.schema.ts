import { ACCOUNTS } from '@ondine/contract/constants'
import * as z from 'zod'

const REQUIRED = 'requiredField'
const code = z
  .string()
  .min(1, REQUIRED)
  .regex(new RegExp(`^\\d{${ACCOUNTS.parentalCodeDigits}}$`), 'fourDigits')

/** Validates a new parental code and its repetition (A5-18, A5-20). */
export const newCodeForm = z
  .object({ current: z.string(), password: z.string(), code, confirmation: z.string().min(1, REQUIRED) })
  .refine(({ code: first, confirmation }) => first === confirmation, {
    path: ['confirmation'],
    message: 'parentalCodesDiffer',
  })

/** Validates the change of a code, which requires the current code (A5-19). */
export const changedCodeForm = newCodeForm.and(z.object({ current: code }))

/** Validates the change of a forgotten code, which requires the password of the account. */
export const forgottenCodeForm = newCodeForm.and(z.object({ password: z.string().min(1, REQUIRED) }))

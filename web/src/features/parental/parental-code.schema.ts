import { ACCOUNTS } from '@ondine/contract/constants'
import * as z from 'zod'

const REQUIRED = 'requiredField'
const code = z
  .string()
  .min(1, REQUIRED)
  .regex(new RegExp(`^\\d{${ACCOUNTS.parentalCodeDigits}}$`), 'fourDigits')

/** A new parental code, written twice (A5-18, A5-20). */
export const newCodeForm = z
  .object({ current: z.string(), code, confirmation: z.string().min(1, REQUIRED) })
  .refine(({ code: first, confirmation }) => first === confirmation, {
    path: ['confirmation'],
    message: 'parentalCodesDiffer',
  })

/** The same where there is a code already: it is needed to change it (A5-19). */
export const changedCodeForm = newCodeForm.and(z.object({ current: code }))

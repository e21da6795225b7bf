import * as z from 'zod'
import type { FieldFault } from './field-faults.ts'

/** Longest password, in characters. Hashing does not need this limit, because it takes the same time for any length. */
const MAX_PASSWORD = 1000

/** The password of an account, as a call sends it. */
export const accountPassword = z
  .string()
  .min(1, 'requiredField' satisfies FieldFault)
  .max(MAX_PASSWORD, 'tooLong' satisfies FieldFault)

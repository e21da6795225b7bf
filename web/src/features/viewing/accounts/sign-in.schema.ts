import { accountEmail } from '@ondine/contract/form-fields'
import * as z from 'zod'

/** Longest password that the service accepts. */
const MAX_PASSWORD = 1000

/** Validates the sign-in form (A5-02, A5-05). */
export const signInForm = z.object({
  username: accountEmail,
  password: z.string().min(1).max(MAX_PASSWORD),
})

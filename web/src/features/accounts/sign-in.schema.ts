import { emailAddress } from '@ondine/contract/form-fields'
import * as z from 'zod'

/** Longest password that the service takes. */
const MAX_PASSWORD = 1000

/** What the sign-in form is checked by (A5-02, A5-05). */
export const signInForm = z.object({
  username: emailAddress,
  password: z.string().min(1).max(MAX_PASSWORD),
})

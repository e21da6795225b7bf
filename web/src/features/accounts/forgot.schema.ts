import { emailAddress } from '@ondine/contract/form-fields'
import * as z from 'zod'

/** What asking for a new password is checked by (A5-32). */
export const forgotForm = z.object({ email: emailAddress })

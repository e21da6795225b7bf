import { accountEmail } from '@ondine/contract/form-fields'
import * as z from 'zod'

/** Validates the request for a password reset (A5-32). */
export const forgotForm = z.object({ email: accountEmail })

import { IDENTITY_SHAPE } from '@ondine/contract/account-fields'
import type { Configuration } from '@ondine/contract/configuration'
import * as z from 'zod'
import { accountShape } from '../registration/registration.schema.ts'

/** What a change of the details is checked by. @param now milliseconds since the epoch */
export function informationsForm(registration: Configuration['registration'], now: number) {
  return z.object({ ...accountShape(registration, now), ...IDENTITY_SHAPE, allowNews: z.boolean() })
}

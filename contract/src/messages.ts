import * as z from 'zod'
import { operation } from './operation.ts'
import { json, text } from './wire.ts'

/** A client's report of something that went wrong (V7-26). Never answered with an error. */
export const msg = operation({
  method: 'POST',
  path: '/proxy/msg',
  as: 'visitor',
  summary: 'Takes a report of a client into the log.',
  input: z.object({
    code: text(50).optional(),
    level: z.enum(['debug', 'info', 'warn', 'error']).default('error'),
    applicationId: text(100).optional(),
    classification: text(100).optional(),
    // Whatever a fault left there: it is written to the log.
    context: json(z.record(z.string(), z.unknown()), { isKept: false }).optional(),
  }),
  output: z.null(),
  otherwise: null,
})

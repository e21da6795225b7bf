import * as z from 'zod'
import { operation } from './operation.ts'
import { json, text } from './wire.ts'

/** Longest context of a report, in characters. A message with a stack trace fits. */
const MOST_CONTEXT = 8000

/** A client's report of a fault (V7-26). Clients ignore the answer (A8.3-04). */
export const msg = operation({
  method: 'POST',
  path: '/proxy/msg',
  as: 'visitor',
  summary: 'Writes the report of a client to the log.',
  input: z.object({
    code: text(50).optional(),
    level: z.enum(['debug', 'info', 'warn', 'error']).default('error'),
    applicationId: text(100).optional(),
    classification: text(100).optional(),
    // Arbitrary data about the fault, which is written to the log.
    context: json(z.record(z.string(), z.unknown()), { isKept: false, max: MOST_CONTEXT }).optional(),
  }),
  output: z.null(),
  errors: ['slowDown'],
  otherwise: null,
})

import * as z from 'zod'
import { operation } from './operation.ts'

const OPERATOR_PATH = '/operator/ledger'

/** A month, as `2026-01`. */
export const month = z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'must be a month such as 2026-01')

export const checkLedger = operation({
  name: 'checkLedger',
  method: 'GET',
  path: `${OPERATOR_PATH}/check`,
  as: 'operator',
  summary:
    'Compares orders, payments, rights, receipts, the ledger and the books of the payment providers, and lists what does not match.',
  input: z.object({}),
  output: z.object({
    /** How many orders and payments were compared. */
    orders: z.int(),
    payments: z.int(),
    faults: z.array(
      z.object({
        /** The record with the fault: `order 12`, `payment 7`. */
        subject: z.string(),
        /** The fault, in words. */
        fault: z.string(),
      }),
    ),
  }),
})

export const exportLedger = operation({
  name: 'exportLedger',
  method: 'GET',
  path: `${OPERATOR_PATH}/export`,
  as: 'operator',
  summary: 'The entries of the ledger of a month (UTC) as CSV, oldest first.',
  input: z.object({ month }),
  output: z.object({ csv: z.string() }),
})

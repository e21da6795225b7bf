import * as z from 'zod'
import { amount } from './money.ts'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { id } from './wire.ts'

/** A receipt, or the credit note of a refund. Times are seconds since the Unix epoch. */
const receipt = z.object({
  idReceipt: z.int(),
  /** The printed number: `R2026-000123`. */
  number: z.string(),
  kind: z.enum(['receipt', 'creditNote']),
  issuedAt: z.int(),
  /** The total, VAT included. For a credit note, the amount refunded. */
  amount,
  /** The VAT included in the amount, and its rate in percent with two decimals. */
  vat: amount,
  vatRate: amount,
  lines: z.array(
    z.object({
      /**
       * The name of the plan in the language of the call, if the plan has one. The PDF always uses the language of
       * the payment.
       */
      title: z.string(),
      amount,
      discount: amount,
      /** Credit for the unused time of the previous plan, after an upgrade. */
      credit: amount,
      /** Price per period after the promotion. Null if the charge had no promotion. */
      usualAmount: amount.nullable(),
      from: z.int(),
      /** End of the paid time; null if it has no end. */
      to: z.int().nullable(),
    }),
  ),
})

export const listReceipts = operation({
  method: 'POST',
  path: '/proxy/listReceipts',
  as: 'profile',
  summary: 'The receipts and credit notes of the account, the newest first.',
  input: z.object({ parentalProof }),
  output: z.array(receipt),
  errors: ['invalidAccessCode'],
})

export const readReceipt = operation({
  name: 'readReceipt',
  method: 'GET',
  path: '/proxy/receipts/:idReceipt',
  as: 'profile',
  summary: 'A receipt or credit note of the account, as PDF.',
  input: z.object({ idReceipt: id, parentalProof }),
  output: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  errors: ['invalidAccessCode', 'notFound'],
  answer: 'file',
})

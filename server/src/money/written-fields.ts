import { readAmount } from '@ondine/contract/money'
import * as z from 'zod'

// Schemas of fields in the files with which operators define offers and vouchers. Each error message is the end of a
// sentence that begins with the name of the field.

/** Key of an offer, a package or a voucher. */
export const key = z
  .string('must be a name in small letters, digits and dashes')
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/, 'must be a name in small letters, digits and dashes')

/**
 * Amount in euros with VAT, converted to cents. It must be in quotation marks: YAML would read a bare number as
 * floating point.
 */
export const cents = z
  .string('must be an amount in quotation marks, such as "8.99"')
  .transform((written, context) => {
    const value = readAmount(written)
    if (value !== undefined) return value
    context.issues.push({ code: 'custom', message: 'must be an amount such as "8.99"', input: written })
    return z.NEVER
  })

/** Date or moment, converted to milliseconds since the Unix epoch. A date means its beginning in UTC. */
export const moment = z
  .union(
    [z.iso.date(), z.iso.datetime({ offset: true })],
    'must be a date in quotation marks, such as "2026-01-31"',
  )
  .transform((value) => Date.parse(value))

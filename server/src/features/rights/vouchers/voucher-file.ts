import * as z from 'zod'
import { cents, key, moment } from '../../../money/written-fields.ts'
import { type ReadYaml, readYaml, type YamlFault } from '../../../read-yaml.ts'
import type { Given, VoucherTerms } from './voucher-terms.ts'
import { plainCode } from './vouchers.service.ts'

// Schema of the YAML file in which operators define vouchers.

const uses = z
  .int('must be a whole number')
  .min(1, 'must be 1 or more')
  .max(1_000_000_000, 'must be at most 1000000000')

const voucher = z.strictObject({
  key,
  /** One code for all customers. Without this field, codes are generated for the voucher. */
  code: z
    .string('must be a code in quotation marks')
    .regex(/^[A-Za-z0-9-]+$/, 'must have letters, digits and dashes alone')
    .transform(plainCode)
    .refine((code) => code.length >= 4 && code.length <= 40, 'must have 4 to 40 letters and digits')
    .optional(),
  percentage: z
    .int('must be a whole number of percent')
    .min(1, 'must be 1 or more')
    .max(100, 'must be at most 100')
    .optional(),
  amount: cents.refine((value) => value > 0, 'must be more than 0').optional(),
  gift: z
    .strictObject({
      offer: key,
      months: z.int('must be a whole number').min(1, 'must be 1 or more').max(120, 'must be at most 120'),
    })
    .optional(),
  /** Keys of the offers to which the discount applies. Without this field, it applies to all offers. */
  offers: z
    .array(key, 'must be a list of offers')
    .min(1, 'must have one offer at least')
    .max(1000)
    .optional(),
  validFrom: moment.nullable().default(null),
  validTo: moment.nullable().default(null),
  uses: uses.optional(),
  usesPerAccount: uses.default(1),
})
export type WrittenVoucher = z.output<typeof voucher>

const file = z.strictObject({
  vouchers: z.array(voucher, 'must be a list of vouchers').max(10_000, 'must be at most 10000'),
})
export type VoucherFile = ReadYaml<z.output<typeof file>>

/** Reads a file of vouchers. @returns the vouchers, or all faults if the file is invalid */
export function readVoucherFile(source: string): VoucherFile | YamlFault[] {
  const read = readYaml(source, file, { what: 'the file' })
  if (Array.isArray(read)) return read
  const { values, lineOf } = read
  const faults: YamlFault[] = []
  const seen = { key: new Set<string>(), code: new Set<string>() }
  for (const [index, each] of values.vouchers.entries()) {
    const fault = (name: string, reason: string) => {
      const path = ['vouchers', index, name]
      faults.push({ line: lineOf(path), reason: `${path.join('.')} ${reason}` })
    }
    for (const name of ['key', 'code'] as const) {
      const value = each[name]
      if (value !== undefined && seen[name].has(value)) fault(name, `stands twice: ${value}`)
      if (value !== undefined) seen[name].add(value)
    }
    const given = (['percentage', 'amount', 'gift'] as const).filter((name) => each[name] !== undefined)
    if (given.length !== 1) fault(given[1] ?? 'key', 'must have one of percentage, amount, gift')
    if (each.gift && each.offers) fault('offers', 'must not be given for a gift')
    const { validFrom, validTo } = each
    if (validFrom !== null && validTo !== null && validTo <= validFrom)
      fault('validTo', 'must be later than validFrom')
  }
  return faults.length > 0 ? faults : read
}

/**
 * Returns the terms of a voucher from the file. A code of a gift and a generated code can be used once, unless the
 * file sets another number.
 */
export function termsOf(written: WrittenVoucher): VoucherTerms {
  const { code, gift, offers, validFrom, validTo, uses: most, usesPerAccount } = written
  const usesPerCode = most ?? (gift || code === undefined ? 1 : null)
  return { gives: givenBy(written), offers: offers ?? null, validFrom, validTo, usesPerCode, usesPerAccount }
}

function givenBy({ percentage, amount, gift }: WrittenVoucher): Given {
  if (gift) return { kind: 'gift', ...gift }
  if (percentage !== undefined) return { kind: 'percentage', basisPoints: percentage * 100 }
  return { kind: 'fixed', cents: amount ?? 0 }
}

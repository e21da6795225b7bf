import * as z from 'zod'
import { amount } from './money.ts'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { integer, text } from './wire.ts'

/** Longest voucher code that is accepted, in characters as typed. */
const MOST_CODE = 100

const voucherCode = text(MOST_CODE).min(1, 'must not be empty')

/** The discount of a voucher on an offer (A3-30). */
export const promotion = z.object({
  /** `idOption` of the offer. */
  item: z.int(),
  discountType: z.enum(['percentage', 'fixed']),
  /** Percent with two decimals, or euros, according to `discountType` (A9-04). */
  discountValue: amount,
  /** The VAT in the discount, in euros. */
  discountVat: amount,
  /** The amount due now, after the discount. */
  discountedPrice: amount,
})
export type Promotion = z.infer<typeof promotion>

/** The plan of a gift code. */
const gift = z.object({ idOption: z.int(), title: z.string(), months: z.int() })

const REFUSED_BUYERS = ['accountSuspended', 'invalidAccessCode'] as const
const REFUSED_CODES = ['invalidVoucher', 'slowDown', 'voucherUsed'] as const

export const validateVoucher = operation({
  method: 'POST',
  path: '/proxy/validateVoucher',
  as: 'profile',
  summary:
    'The discount of a code on the offers in the cart; empty when it does not apply. From then on, the cart shows discounted prices. The code is used when it is sent with the payment.',
  input: z.object({ voucherCode, parentalProof }),
  output: z.object({
    promotions: z.array(promotion),
    /** The gift, if the code is a gift code; null for any other code. `redeemGift` redeems gift codes. */
    gift: gift.nullable(),
  }),
  errors: [...REFUSED_BUYERS, ...REFUSED_CODES, 'conflict'],
})

export const redeemGift = operation({
  method: 'POST',
  path: '/proxy/redeemGift',
  as: 'profile',
  summary:
    'Redeems a gift: a plan for some months without payment. A second gift of the same plan follows the first.',
  input: z.object({ voucherCode, parentalProof }),
  output: gift.extend({
    /** Start and end of the plan, in seconds since the Unix epoch. */
    userValidityFrom: z.int(),
    userValidityTo: z.int(),
  }),
  errors: [
    ...REFUSED_BUYERS,
    ...REFUSED_CODES,
    'alreadySubscribed',
    'offerIncompatible',
    'requiredOptionMissing',
  ],
})

const OPERATOR_PATH = '/operator/vouchers'

/** Maximum length of a vouchers file, in characters. */
const MOST_WRITTEN = 1_000_000
/** Maximum number of codes in a batch. */
export const MOST_CODES = 10_000

export const importVouchers = operation({
  name: 'importVouchers',
  method: 'POST',
  path: `${OPERATOR_PATH}/import`,
  as: 'operator',
  summary:
    'Imports vouchers and gifts from a YAML file. If it has any fault, nothing changes, and all faults are returned with their lines.',
  input: z.object({ file: text(MOST_WRITTEN) }),
  output: z.object({
    /** Keys of vouchers that are new, have changed, or are unchanged. */
    added: z.array(z.string()),
    changed: z.array(z.string()),
    unchanged: z.array(z.string()),
  }),
})

/** A voucher in operator calls. Times are seconds since the Unix epoch. */
const operatedVoucher = z.object({
  key: z.string(),
  /** The advantage as text: `20 %`, `3.00 EUR`, `cinema-monthly for 3 months`. */
  gives: z.string(),
  /** Keys of the offers that the voucher applies to; null for all. */
  offers: z.array(z.string()).nullable(),
  codes: z.int(),
  uses: z.int(),
  usesPerCode: z.int().nullable(),
  usesPerAccount: z.int().nullable(),
  validFrom: z.int().nullable(),
  validTo: z.int().nullable(),
  withdrawnAt: z.int().nullable(),
})

export const listVouchers = operation({
  name: 'listVouchers',
  method: 'GET',
  path: OPERATOR_PATH,
  as: 'operator',
  summary: 'All vouchers, including withdrawn ones.',
  input: z.object({}),
  output: z.array(operatedVoucher),
})

export const generateVoucherCodes = operation({
  name: 'generateVoucherCodes',
  method: 'POST',
  path: `${OPERATOR_PATH}/:key/generate`,
  as: 'operator',
  summary: 'Adds a batch of new codes to a voucher.',
  input: z.object({ key: text(80), count: integer(1, MOST_CODES) }),
  output: z.object({ codes: z.array(z.string()) }),
  errors: ['notFound'],
})

export const withdrawVoucher = operation({
  name: 'withdrawVoucher',
  method: 'POST',
  path: `${OPERATOR_PATH}/:key/withdraw`,
  as: 'operator',
  summary:
    'Withdraws a voucher with all its codes. Orders keep their discount. Importing it again makes it valid again.',
  input: z.object({ key: text(80) }),
  output: operatedVoucher,
  errors: ['notFound'],
})

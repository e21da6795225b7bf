import * as z from 'zod'
import { amount } from './money.ts'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { integer, text } from './wire.ts'

/** Longest code that is looked at, as it is typed. */
const MOST_CODE = 100

export const voucherCode = text(MOST_CODE).min(1, 'must not be empty')

/** The discount that a voucher gives on an offer (A3-30). */
export const promotion = z.object({
  /** The offer, by its `idOption`. */
  item: z.int(),
  discountType: z.enum(['percentage', 'fixed']),
  /** Percent with two digits, or euros (A9-04). */
  discountValue: amount,
  /** The VAT in what is taken off, in euros. */
  discountVat: amount,
  /** The amount due now, with the discount. */
  discountedPrice: amount,
})
export type Promotion = z.infer<typeof promotion>

/** A plan that a gift code gives. */
const gift = z.object({ idOption: z.int(), title: z.string(), months: z.int() })

const REFUSED_BUYERS = ['accountSuspended', 'invalidAccessCode'] as const
const REFUSED_CODES = ['invalidVoucher', 'slowDown', 'voucherUsed'] as const

export const validateVoucher = operation({
  method: 'POST',
  path: '/proxy/validateVoucher',
  as: 'profile',
  summary:
    'What a code takes off the offers in the cart: nothing when it is not applicable. The cart shows its prices with it from then on; it is used when it is sent with the payment.',
  input: z.object({ voucherCode, parentalProof }),
  output: z.object({
    promotions: z.array(promotion),
    /** Of a gift code, which is redeemed by `redeemGift`; null for any other. */
    gift: gift.nullable(),
  }),
  errors: [...REFUSED_BUYERS, ...REFUSED_CODES, 'conflict'],
})

export const redeemGift = operation({
  method: 'POST',
  path: '/proxy/redeemGift',
  as: 'profile',
  summary:
    'Takes a gift: a plan for some months without a payment. A second one of the plan follows the first.',
  input: z.object({ voucherCode, parentalProof }),
  output: gift.extend({
    /** Seconds since the Unix epoch. */
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

/** Longest file of vouchers, in characters. */
const MOST_WRITTEN = 1_000_000
/** Most codes of one batch. */
export const MOST_CODES = 10_000

export const importVouchers = operation({
  name: 'importVouchers',
  method: 'POST',
  path: `${OPERATOR_PATH}/import`,
  as: 'operator',
  summary:
    'Takes vouchers and gifts from a file in YAML. On any fault nothing changes, and each is told with its line.',
  input: z.object({ file: text(MOST_WRITTEN) }),
  output: z.object({
    /** Keys of vouchers that are new, say something else, or are as they were. */
    added: z.array(z.string()),
    changed: z.array(z.string()),
    unchanged: z.array(z.string()),
  }),
})

/** A voucher as its operator sees it. Times are seconds since the Unix epoch. */
const operatedVoucher = z.object({
  key: z.string(),
  /** In words: `20 %`, `3.00 EUR`, `cinema-monthly for 3 months`. */
  gives: z.string(),
  /** Keys of the offers that it is for; null for all. */
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
  summary: 'All vouchers, those that were withdrawn included.',
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
    'Ends a voucher with all its codes. Orders keep their discount; importing it again makes it valid again.',
  input: z.object({ key: text(80) }),
  output: operatedVoucher,
  errors: ['notFound'],
})

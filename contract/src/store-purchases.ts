import * as z from 'zod'
import { SOLD_TYPES } from './offers.ts'
import { operation } from './operation.ts'
import { OFFER_VALIDITY } from './orders.ts'
import { parentalProof } from './parental-proof.ts'
import { json } from './wire.ts'

/** Stores of devices whose purchases can be linked to an account. */
export const DEVICE_STORES = ['apple', 'google'] as const
export type DeviceStore = (typeof DEVICE_STORES)[number]

/** Longest token or id of a store, in characters. */
const MOST_REFERENCE = 1000
/** Longest signed transaction, in characters. */
const MOST_SIGNED = 50_000

const reference = z.string().min(1).max(MOST_REFERENCE)

/** Data about a purchase from the app. The required fields depend on the store. */
const transactionParams = z.object({
  /** Apple: the transaction as signed by StoreKit 2 (`jwsRepresentation`). */
  signedTransaction: z.string().min(1).max(MOST_SIGNED).optional(),
  /** Google: the id of the product, and the token of its purchase. */
  productId: reference.optional(),
  purchaseToken: reference.optional(),
  /** The rented title, if the offer applies to several titles. */
  contentId: z.int().min(1).max(2_147_483_647).optional(),
  contentType: z.enum(SOLD_TYPES).optional(),
})
export type TransactionParams = z.infer<typeof transactionParams>

export const linkStorePurchase = operation({
  name: 'linkStorePurchase',
  method: 'POST',
  path: '/inapp/:transactionId/link',
  as: 'profile',
  summary:
    'Links a purchase in the store of a device to the account (A7.3-01). A purchase belongs to one account. Linking it again returns the same answer.',
  input: z.object({
    /** Apple: the id of the transaction. Google: the id of the order, or the purchase token. */
    transactionId: z.string().regex(/^[\w.-]{1,1000}$/, 'is not the id of a transaction'),
    provider: z.enum(DEVICE_STORES),
    transactionParams: json(transactionParams).optional(),
    parentalProof,
  }),
  output: z.object({
    idOption: z.int(),
    /** Whether the purchase gives access now. An expired or revoked purchase is linked, but gives no access. */
    isActive: z.boolean(),
    /** Active, or cancelled if the store will not renew the purchase (spec 34). */
    statusId: z.literal([OFFER_VALIDITY.active, OFFER_VALIDITY.cancelled]),
    /** Start and end of the access, in seconds since the Unix epoch. The end is null for a one-time purchase. */
    userValidityFrom: z.int(),
    userValidityTo: z.int().nullable(),
  }),
  errors: [
    'accountSuspended',
    'contentIdMissing',
    'contentTypeMissing',
    'invalidAccessCode',
    'notFound',
    'optionAlreadyAdded',
    'paymentDataInvalid',
    'paymentDataMissing',
    'paymentProviderSilent',
    'resourceNotActive',
  ],
})

import * as z from 'zod'
import { amount } from './money.ts'
import { OFFER_TYPES, offer, SOLD_TYPES } from './offers.ts'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { promotion } from './vouchers.ts'
import { flag, id, ids, json, text } from './wire.ts'

/**
 * States of an order (A4.2-07, decision 36). `submitted` waits for its payment, `to_execute` is paid and about to be executed.
 * The others are final.
 */
export const ORDER_STATES = ['submitted', 'to_execute', 'executed', 'failed', 'expired'] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** An order that is not paid within this time expires (decision 36), in seconds. */
export const ORDER_SECONDS = 15 * 60

/** Status of an offer in the hands of an account (A4.1-01). */
export const OFFER_VALIDITY = { active: 10, pendingPayment: 20, cancelled: 40, ordered: 60 } as const
export type OfferValidity = (typeof OFFER_VALIDITY)[keyof typeof OFFER_VALIDITY]

/** The billing provider that a client means when it names none (A7.2-01). */
export const DEFAULT_BILLING_PROVIDER = 5

/** Most offers in one order. */
const MOST_OPTIONS = 20

const optionIds = ids(MOST_OPTIONS).optional()

/** The title that is rented, or the channel that is bought for some time (A7.1-26). */
const orderContext = z.object({
  context: z
    .object({
      contentId: z.int().min(1).max(2_147_483_647).optional(),
      contentType: z.enum(SOLD_TYPES).optional(),
    })
    .optional(),
})

/** How a payment is asked for: where its page leads back to, and the card. */
export const paymentWish = {
  /** Where the payment page leads back to: this site, or the app. `orderId` is added to it. */
  returnUrl: text(2000),
  /** JSON: `{ "brandBillingProviderId": 5 }`. Needed when something is due, and for a trial that asks for a card. */
  paymentData: text(2000).optional(),
  paymentProvider: text(100).optional(),
  paymentBrand: text(100).optional(),
  paymentMethod: text(100).optional(),
}

/** A payment that has been asked for. */
export const askedPayment = z.object({
  /** The payment page to open; null when there is nothing to do there: the order's status says the rest. */
  action: z.string().nullable(),
  amount,
  orderId: z.int(),
})

/** Errors for accounts that may not buy, and for carts that cannot be paid. */
const REFUSED_BUYERS = ['accountSuspended', 'invalidAccessCode'] as const
const REFUSED_CARTS = [
  'alreadySubscribed',
  'contentIdMissing',
  'contentTypeMissing',
  'incompatibleOption',
  'mixedOfferTypes',
  'notFound',
  'offerIncompatible',
  'optionAlreadyAdded',
  'optionOnlyOnce',
  'purchaseCodeRequired',
  'requiredOptionMissing',
  'resourceNotActive',
] as const

export const addOptions = operation({
  method: 'POST',
  path: '/proxy/addOptions',
  as: 'profile',
  summary: 'Puts offers into the cart, in the place of what was there (decision 35).',
  input: z.object({
    optionIds,
    /** An order is always made anew. */
    resetOrder: flag.refine((reset) => reset, 'must be true').optional(),
    extra: json(orderContext).optional(),
    parentalProof,
  }),
  output: z.null(),
  errors: [...REFUSED_BUYERS, ...REFUSED_CARTS, 'optionIdsMissing'],
})

export const removeOptions = operation({
  method: 'POST',
  path: '/proxy/removeOptions',
  as: 'profile',
  summary: 'Takes offers out of the cart. Taking out what is not there is no error.',
  input: z.object({ optionIds, parentalProof }),
  output: z.null(),
  errors: [...REFUSED_BUYERS, 'optionIdsMissing'],
})

/** How accounts come to what they have. */
export const OFFER_SOURCES = ['order', 'gift', 'apple', 'google', 'subscriptionService'] as const
export type OfferSource = (typeof OFFER_SOURCES)[number]

/** An offer in the hands of an account: in its cart, or bought. Times are seconds since the Unix epoch. */
export const userOffer = offer.extend({
  /** How the account came to it: in this shop, as a gift, in the store of a device, or at a subscription service. */
  source: z.enum(OFFER_SOURCES),
  /** A4.1-01. */
  statusId: z.literal(Object.values(OFFER_VALIDITY)),
  /** Ordered or waiting for its payment (A4.1-02). */
  userValidityPending: z.boolean(),
  /** Whether it is in the cart: what waits for its payment may be of an order that was left for another cart. */
  inCart: z.boolean(),
  /** The price in the cart, due now; null for an offer that the account has bought (A3-26). */
  cartPrice: amount.nullable(),
  /** Later charges of a subscription in the cart: the first of them, and each whose amount differs from the one before. */
  cartRenewals: z.array(z.object({ priceWithVat: amount, at: z.int() })),
  /** Days of the trial that a subscription in the cart begins with; 0 for none. */
  cartTrialDays: z.int(),
  /** The discount of the cart's voucher on this offer. */
  cartValidPromotions: z.array(promotion),
  /** When it was bought, and its end; of a subscription, the end of the period that is paid. */
  userValidityFrom: z.int().nullable(),
  userValidityTo: z.int().nullable(),
})
export type UserOffer = z.infer<typeof userOffer>

export const listOptions = operation({
  method: 'POST',
  path: '/proxy/listOptions',
  as: 'profile',
  summary:
    'The offers of the account: those in its cart, those that wait for their payment, and those it has bought.',
  input: z.object({ offerType: z.enum(OFFER_TYPES).optional(), parentalProof }),
  output: z.array(userOffer),
  errors: REFUSED_BUYERS,
})

export const optionsValidity = operation({
  method: 'POST',
  path: '/proxy/optionsValidity',
  as: 'profile',
  summary: 'How each offer of the account stands: ordered, waiting for its payment, active or cancelled.',
  input: z.object({ parentalProof }),
  output: z.array(z.object({ optionId: z.int(), statusId: z.literal(Object.values(OFFER_VALIDITY)) })),
  errors: REFUSED_BUYERS,
})

/** A way to pay (A3-28). */
const paymentMethod = z.object({
  brandBillingProviderId: z.int(),
  paymentProvider: z.string(),
  /** `card`, or the brand of a saved card. */
  paymentBrand: z.string(),
  /** `new` asks for a card; another names a saved one. */
  paymentMethod: z.string(),
  /** How a saved card is told from others: its last digits. */
  label: z.string().nullable(),
  /** When it last paid, in seconds since the Unix epoch. */
  lastUsage: z.int().nullable(),
  /** Whether its provider has a page for `getBillingDashboardAccess`. */
  hasDashboard: z.boolean(),
})
export type PaymentMethod = z.infer<typeof paymentMethod>

export const listPaymentMethods = operation({
  method: 'POST',
  path: '/proxy/listPaymentMethods',
  as: 'profile',
  summary: 'How the account can pay: its saved cards, the last used first, and a new one.',
  input: z.object({ parentalProof }),
  output: z.array(paymentMethod),
  errors: REFUSED_BUYERS,
})

export const askPayment = operation({
  method: 'POST',
  path: '/proxy/askPayment',
  as: 'profile',
  summary:
    'Submits the cart as an order, whose amount the service computes, and begins its payment. Asking again while it is open answers the same order.',
  input: z.object({
    voucher: text(100).optional(),
    /** The amount that the customer saw as due now. Where another one is due, nothing is ordered (-409). */
    amount: text(20).optional(),
    /** The later charges that the customer saw, of all offers in their order: `cartRenewals`. Likewise. */
    renewals: json(z.array(amount).max(2 * MOST_OPTIONS)).optional(),
    ...paymentWish,
    /** That content starts at once, and with it the right to withdraw ends. */
    policyValidation: flag.refine((given) => given, 'must be true'),
    parentalProof,
  }),
  output: askedPayment,
  errors: [
    ...REFUSED_BUYERS,
    ...REFUSED_CARTS,
    'conflict',
    'invalidVoucher',
    'nothingToPay',
    'paymentDataInvalid',
    'paymentDataMissing',
    'paymentProviderSilent',
    'slowDown',
    'voucherUsed',
  ],
})

export const checkOrderStatus = operation({
  method: 'GET',
  path: '/proxy/checkOrderStatus',
  as: 'profile',
  summary: 'How an order of the account stands. While it is open, the payment provider is asked.',
  input: z.object({ orderId: id, parentalProof }),
  output: z.object({ orderStatus: z.enum(ORDER_STATES) }),
  errors: ['invalidAccessCode', 'notFound'],
})

export const getBillingDashboardAccess = operation({
  method: 'GET',
  path: '/proxy/getBillingDashboardAccess',
  as: 'profile',
  summary: 'The page of a billing provider where the account looks after its cards and payments (A7.2-01).',
  input: z.object({
    brandBillingProviderId: id.optional().describe(`By default ${DEFAULT_BILLING_PROVIDER}.`),
    parentalProof,
  }),
  output: z.object({ dashboardUrl: z.string() }),
  errors: ['invalidAccessCode', 'notFound', 'paymentProviderSilent'],
})

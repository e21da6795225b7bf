import * as z from 'zod'
import { amount } from './money.ts'
import { OFFER_TYPES, offer, SOLD_TYPES } from './offers.ts'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { promotion } from './vouchers.ts'
import { flag, id, ids, json, text } from './wire.ts'

/**
 * States of an order (A4.2-07, spec 36). `submitted`: waiting for its payment. `to_execute`: paid, and about to be
 * executed. The other states are final.
 */
export const ORDER_STATES = ['submitted', 'to_execute', 'executed', 'failed', 'expired'] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** Seconds after which an unpaid order expires (spec 36). */
export const ORDER_SECONDS = 15 * 60

/** Status of an account's offer (A4.1-01). */
export const OFFER_VALIDITY = { active: 10, pendingPayment: 20, cancelled: 40, ordered: 60 } as const
export type OfferValidity = (typeof OFFER_VALIDITY)[keyof typeof OFFER_VALIDITY]

/** The billing provider of clients that do not send one (A7.2-01). */
export const DEFAULT_BILLING_PROVIDER = 5

/** Maximum number of offers in an order. */
const MOST_OPTIONS = 20

const optionIds = ids(MOST_OPTIONS).optional()

/** The title to rent, or the channel to buy for a limited time (A7.1-26). */
const orderContext = z.object({
  context: z
    .object({
      contentId: z.int().min(1).max(2_147_483_647).optional(),
      contentType: z.enum(SOLD_TYPES).optional(),
    })
    .optional(),
})

/** Fields of a payment request: the URL to return to after the payment page, and the payment method. */
export const paymentWish = {
  /** URL to which the payment page returns, with `orderId` added: a page of this site, or a link of the app. */
  returnUrl: text(2000),
  /**
   * The way to pay, as JSON: `{ "brandBillingProviderId": 5 }`. Required when an amount is due, and for a trial that
   * requires a card.
   */
  paymentData: text(2000).optional(),
  paymentProvider: text(100).optional(),
  paymentBrand: text(100).optional(),
  paymentMethod: text(100).optional(),
}

/** A payment that has been requested. */
export const askedPayment = z.object({
  /**
   * Address of the payment page to open. Null if the customer need not act; the status of the order then shows the
   * result.
   */
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
  summary: 'Replaces the offers in the cart (spec 35).',
  input: z.object({
    optionIds,
    /** Must be true if it is given, because every call creates a new order. */
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
  summary: 'Removes offers from the cart. Removing an offer that is not in it is no error.',
  input: z.object({ optionIds, parentalProof }),
  output: z.null(),
  errors: [...REFUSED_BUYERS, 'optionIdsMissing'],
})

/** Ways in which accounts get offers. */
const OFFER_SOURCES = ['order', 'gift', 'apple', 'google', 'subscriptionService'] as const
export type OfferSource = (typeof OFFER_SOURCES)[number]

/** An offer of an account: in its cart, or bought. Times are seconds since the Unix epoch. */
const userOffer = offer.extend({
  /**
   * How the account got the offer: by an order in this shop, as a gift, in an app store, or from a subscription
   * service.
   */
  source: z.enum(OFFER_SOURCES),
  /** Status of the offer (A4.1-01). */
  statusId: z.literal(Object.values(OFFER_VALIDITY)),
  /** Whether the offer is ordered and its payment is still open (A4.1-02). */
  userValidityPending: z.boolean(),
  /**
   * Whether the offer is in the cart. False for an offer of an open order whose items differ from the items of the
   * cart.
   */
  inCart: z.boolean(),
  /**
   * The part of the cart's price that is due now for this offer; null for an offer that the account already has
   * (A3-26).
   */
  cartPrice: amount.nullable(),
  /**
   * Later charges of a subscription in the cart: the first one, and then each charge whose amount differs from the
   * previous charge.
   */
  cartRenewals: z.array(z.object({ priceWithVat: amount, at: z.int() })),
  /** Length of the trial at the start of a subscription in the cart, in days; 0 for no trial. */
  cartTrialDays: z.int(),
  /** The discount of the cart's voucher on this offer. */
  cartValidPromotions: z.array(promotion),
  /**
   * When the offer was bought. `userValidityTo` is the end of the access; for a subscription, the end of the paid
   * period.
   */
  userValidityFrom: z.int().nullable(),
  userValidityTo: z.int().nullable(),
})
export type UserOffer = z.infer<typeof userOffer>

export const listOptions = operation({
  method: 'POST',
  path: '/proxy/listOptions',
  as: 'profile',
  summary: 'The offers of the account: in its cart, waiting for payment, and bought.',
  input: z.object({ offerType: z.enum(OFFER_TYPES).optional(), parentalProof }),
  output: z.array(userOffer),
  errors: REFUSED_BUYERS,
})

export const optionsValidity = operation({
  method: 'POST',
  path: '/proxy/optionsValidity',
  as: 'profile',
  summary: 'The status of each offer of the account: ordered, waiting for payment, active or cancelled.',
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
  /** `new` requests a card from the customer. Any other value is the id of a saved card. */
  paymentMethod: z.string(),
  /** Last digits of a saved card, to tell cards apart. */
  label: z.string().nullable(),
  /** When the card was last charged, in seconds since the Unix epoch. */
  lastUsage: z.int().nullable(),
  /** Whether the provider of the card has a page for `getBillingDashboardAccess`. */
  hasDashboard: z.boolean(),
})
export type PaymentMethod = z.infer<typeof paymentMethod>

export const listPaymentMethods = operation({
  method: 'POST',
  path: '/proxy/listPaymentMethods',
  as: 'profile',
  summary: 'The ways in which the account can pay: its saved cards, the last used first, and a new card.',
  input: z.object({ parentalProof }),
  output: z.array(paymentMethod),
  errors: REFUSED_BUYERS,
})

export const askPayment = operation({
  method: 'POST',
  path: '/proxy/askPayment',
  as: 'profile',
  summary:
    'Submits the cart as an order and begins its payment. The service computes the amount. Repeated calls return the same order while it is open.',
  input: z.object({
    voucher: text(100).optional(),
    /** The amount due now that the customer saw. If it differs from the current amount, nothing is ordered (-409). */
    amount: text(20).optional(),
    /**
     * The later charges that the customer saw: `cartRenewals` of all offers, in order. If they differ from the
     * current later charges, nothing is ordered (-409).
     */
    renewals: json(z.array(amount).max(2 * MOST_OPTIONS)).optional(),
    /**
     * The lines of the cart that the customer saw, in order. The cart belongs to the account, so another page can have
     * replaced it. If they differ from the current lines, nothing is ordered (-409).
     */
    lines: json(
      z.array(z.object({ idOption: z.int(), idAsset: z.int().nullable() })).max(MOST_OPTIONS),
    ).optional(),
    ...paymentWish,
    /** Consent that the content starts at once, by which the customer gives up the right of withdrawal. */
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
  summary: 'The status of an order of the account. While it is open, the service asks the payment provider.',
  input: z.object({ orderId: id, parentalProof }),
  output: z.object({ orderStatus: z.enum(ORDER_STATES) }),
  errors: ['invalidAccessCode', 'notFound'],
})

export const getBillingDashboardAccess = operation({
  method: 'GET',
  path: '/proxy/getBillingDashboardAccess',
  as: 'profile',
  summary: 'The page of a billing provider where the account manages its cards and payments (A7.2-01).',
  input: z.object({
    brandBillingProviderId: id.optional().describe(`By default ${DEFAULT_BILLING_PROVIDER}.`),
    parentalProof,
  }),
  output: z.object({ dashboardUrl: z.string() }),
  errors: ['invalidAccessCode', 'notFound', 'paymentProviderSilent'],
})

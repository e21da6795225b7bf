import * as z from 'zod'
import { amount } from './money.ts'
import { PERIODICITIES, RECURRENCE_UNITS } from './offers.ts'
import { operation } from './operation.ts'
import { askedPayment, OFFER_VALIDITY, paymentWish } from './orders.ts'
import { parentalProof } from './parental-proof.ts'
import { flag, id, text } from './wire.ts'

/**
 * The next event of a subscription. `renews`: the saved card is charged. `ends`: access ends. `retries`: a charge
 * was declined, and the card is charged again. `pays`: a payment is in progress, or needs the customer's
 * confirmation.
 */
const NEXT_STEPS = ['renews', 'ends', 'retries', 'pays'] as const
export type NextStep = (typeof NEXT_STEPS)[number]

/** A subscription of an account. Times are seconds since the Unix epoch. */
const subscription = z.object({
  id: z.int(),
  idOption: z.int(),
  title: z.string(),
  /** Active (10) or cancelled (40), by the numbers of A4.1. */
  statusId: z.literal([OFFER_VALIDITY.active, OFFER_VALIDITY.cancelled]),
  periodicity: z.enum(PERIODICITIES),
  /** The end of the paid period. */
  validTo: z.int(),
  next: z.object({
    step: z.enum(NEXT_STEPS),
    at: z.int(),
    /** The amount of the next charge, VAT included. */
    amount,
  }),
  /** The plan of the next period, if the customer has scheduled a change; null if no change is scheduled. */
  change: z.object({ idOption: z.int(), title: z.string(), periodicity: z.enum(PERIODICITIES) }).nullable(),
  /**
   * The announced new price of a period, and the start of the first period with that price; null if none is announced.
   */
  newPrice: z.object({ at: z.int(), amount }).nullable(),
  /**
   * Whether the subscription belongs to a plan and its current period is paid. `listChanges` returns the possible
   * plans.
   */
  canChange: z.boolean(),
  /**
   * Ids of the offers on sale that replace this subscription. A purchase of any other offer adds a second
   * subscription.
   */
  replaceableBy: z.array(z.int()),
  /**
   * Whether a card was chosen for the subscription, even if it has been removed since. Without one, a later change to a
   * plan that costs something needs a saved card.
   */
  isCardChosen: z.boolean(),
  /** The card for the next charge; null if no card was chosen, or the account has no card. */
  method: z
    .object({
      brand: z.string(),
      label: z.string(),
      /** When the card expires; null when unknown. */
      expiresAt: z.int().nullable(),
    })
    .nullable(),
})
export type Subscription = z.infer<typeof subscription>

export const listSubscriptions = operation({
  method: 'POST',
  path: '/proxy/listSubscriptions',
  as: 'profile',
  summary: 'The subscriptions of the account, each with its next event and time.',
  input: z.object({ parentalProof }),
  output: z.array(subscription),
  errors: ['invalidAccessCode'],
})

export const cancelSubscription = operation({
  method: 'POST',
  path: '/proxy/cancelSubscription',
  as: 'profile',
  summary:
    'Cancels a subscription. It remains usable until the end of the paid period and does not renew. Cancelling again changes nothing.',
  input: z.object({ subscriptionId: id, parentalProof }),
  output: subscription.nullable(),
  errors: ['invalidAccessCode', 'notFound'],
})

export const resumeSubscription = operation({
  method: 'POST',
  path: '/proxy/resumeSubscription',
  as: 'profile',
  summary:
    'Revokes a cancellation before the end of the paid period. Resuming again changes nothing. A subscription without a card for its next charge takes the chosen one. A new card is entered on a payment page, and the subscription is resumed when the card is saved.',
  input: z.object({
    subscriptionId: id,
    ...paymentWish,
    returnUrl: paymentWish.returnUrl.optional(),
    parentalProof,
  }),
  output: subscription.extend({
    /** The payment of 0 euros that saves a new card; null if the subscription needs none, or a saved card was chosen. */
    payment: askedPayment.nullable(),
  }),
  errors: [
    'accountSuspended',
    'invalidAccessCode',
    'notFound',
    'paymentDataInvalid',
    'paymentProviderSilent',
  ],
})

export const payRenewal = operation({
  method: 'POST',
  path: '/proxy/payRenewal',
  as: 'profile',
  summary: 'Pays a renewal that failed with the saved card, with the same or another card.',
  input: z.object({
    subscriptionId: id,
    ...paymentWish,
    parentalProof,
  }),
  output: askedPayment,
  errors: [
    'accountSuspended',
    'conflict',
    'invalidAccessCode',
    'notFound',
    'nothingToPay',
    'paymentDataInvalid',
    'paymentDataMissing',
    'paymentProviderSilent',
  ],
})

/** When a change of plan takes effect. An upgrade takes effect now, any other change with the next period. */
export const CHANGE_STARTS = ['now', 'nextPeriod'] as const

/** A plan to which a subscription can change. Times are seconds since the Unix epoch. */
const planChange = z.object({
  idOption: z.int(),
  /**
   * The current revision of the offer. A change must name this revision, so that the customer gets the terms that
   * the screen showed.
   */
  idRevision: z.int(),
  title: z.string(),
  /** The price per period, VAT included. */
  priceWithVat: amount,
  pricePeriodicity: z.enum(PERIODICITIES),
  priceDetail: z.object({ recurrenceUnit: z.enum(RECURRENCE_UNITS).nullable(), recurrencePeriod: z.int() }),
  starts: z.enum(CHANGE_STARTS),
  /** When the change starts. */
  at: z.int(),
  /** The amount due at the change for the first period, VAT included. `credit` is already subtracted. */
  amount,
  /** Credit for the unused time of the current plan, in an upgrade. */
  credit: amount,
  /** Later charges: the first one, and then each charge whose amount differs from the previous charge. */
  renewals: z.array(z.object({ priceWithVat: amount, at: z.int() })),
  /**
   * Titles of the account's options that the new plan does not allow. An upgrade ends these options now. Other
   * changes end them with the current period.
   */
  endsOptions: z.array(z.string()),
})
export type PlanChange = z.infer<typeof planChange>

export const listChanges = operation({
  method: 'POST',
  path: '/proxy/listChanges',
  as: 'profile',
  summary:
    'The plans that a subscription can change to, the cheapest first, with the amount due and its date. Empty while its payment is overdue.',
  input: z.object({ subscriptionId: id, parentalProof }),
  output: z.array(planChange),
  errors: ['accountSuspended', 'invalidAccessCode', 'notFound'],
})

export const changeSubscription = operation({
  method: 'POST',
  path: '/proxy/changeSubscription',
  as: 'profile',
  summary:
    'Changes a subscription to another plan. An upgrade is paid now and credits the unused time. Any other change applies from the next period.',
  input: z.object({
    subscriptionId: id,
    /** `idOption`, `idRevision` and `amount` as returned by `listChanges`. An amount is valid for 15 minutes. */
    idOption: id,
    idRevision: id,
    amount: text(20),
    ...paymentWish,
    /** Consent that the content starts at once, by which the customer gives up the right of withdrawal. */
    policyValidation: flag.refine((given) => given, 'must be true'),
    parentalProof,
  }),
  output: z.object({
    starts: z.enum(CHANGE_STARTS),
    /** The payment of an upgrade; null for a change that begins with the next period. */
    payment: askedPayment.nullable(),
  }),
  errors: [
    'accountSuspended',
    'conflict',
    'invalidAccessCode',
    'notFound',
    'paymentDataInvalid',
    'paymentDataMissing',
    'paymentProviderSilent',
  ],
})

export const undoChange = operation({
  method: 'POST',
  path: '/proxy/undoChange',
  as: 'profile',
  summary: 'Revokes a change of plan before the next period begins. Revoking again changes nothing.',
  input: z.object({ subscriptionId: id, parentalProof }),
  output: subscription,
  errors: ['accountSuspended', 'conflict', 'invalidAccessCode', 'notFound'],
})

import * as z from 'zod'
import { amount } from './money.ts'
import { PERIODICITIES, RECURRENCE_UNITS } from './offers.ts'
import { operation } from './operation.ts'
import { askedPayment, OFFER_VALIDITY, paymentWish } from './orders.ts'
import { parentalProof } from './parental-proof.ts'
import { flag, id, text } from './wire.ts'

/**
 * What happens to a subscription next. `renews`: the saved card is charged. `ends`: access ends. `retries`: a charge was declined, and
 * the card is charged again. `pays`: a payment is under way, or the customer has to confirm it.
 */
export const NEXT_STEPS = ['renews', 'ends', 'retries', 'pays'] as const
export type NextStep = (typeof NEXT_STEPS)[number]

/** A subscription that an account has. Times are seconds since the Unix epoch. */
const subscription = z.object({
  id: z.int(),
  idOption: z.int(),
  title: z.string(),
  /** A4.1: Active 10, or Cancelled 40. */
  statusId: z.literal([OFFER_VALIDITY.active, OFFER_VALIDITY.cancelled]),
  periodicity: z.enum(PERIODICITIES),
  /** The end of the period that is paid. */
  validTo: z.int(),
  next: z.object({
    step: z.enum(NEXT_STEPS),
    at: z.int(),
    /** The amount of the next charge, VAT included. */
    amount,
  }),
  /** The plan that its next period changes to; null when it stays as it is, or that period has begun. */
  change: z.object({ idOption: z.int(), title: z.string(), periodicity: z.enum(PERIODICITIES) }).nullable(),
  /** The price that its operator has announced, with the period from which it is charged; null without one. */
  newPrice: z.object({ at: z.int(), amount }).nullable(),
  /** Whether it is a plan whose period is paid: `listChanges` says what it can change to. */
  canChange: z.boolean(),
  /** The offers on sale that it would be changed to, in place of being bought beside it. */
  replaceableBy: z.array(z.int()),
  /** The card that is charged next; null when there is none. */
  method: z
    .object({
      brand: z.string(),
      label: z.string(),
      /** When the card can pay no more; null where that is not known. */
      expiresAt: z.int().nullable(),
    })
    .nullable(),
})
export type Subscription = z.infer<typeof subscription>

export const listSubscriptions = operation({
  method: 'POST',
  path: '/proxy/listSubscriptions',
  as: 'profile',
  summary: 'The subscriptions of the account, each with what happens next and when.',
  input: z.object({ parentalProof }),
  output: z.array(subscription),
  errors: ['invalidAccessCode'],
})

export const cancelSubscription = operation({
  method: 'POST',
  path: '/proxy/cancelSubscription',
  as: 'profile',
  summary:
    'Cancels a subscription: it plays until the end of the paid period and does not renew. Cancelling again changes nothing.',
  input: z.object({ subscriptionId: id, parentalProof }),
  output: subscription.nullable(),
  errors: ['invalidAccessCode', 'notFound'],
})

export const resumeSubscription = operation({
  method: 'POST',
  path: '/proxy/resumeSubscription',
  as: 'profile',
  summary: 'Takes back a cancellation before the paid period is over. Resuming again changes nothing.',
  input: z.object({ subscriptionId: id, parentalProof }),
  output: subscription,
  errors: ['accountSuspended', 'invalidAccessCode', 'notFound'],
})

export const payRenewal = operation({
  method: 'POST',
  path: '/proxy/payRenewal',
  as: 'profile',
  summary: 'Pays a renewal that the saved card did not pay, with another card or the same.',
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

/** An upgrade starts now, any other change with the next period. */
export const CHANGE_STARTS = ['now', 'nextPeriod'] as const

/** A plan that a subscription can change to. Times are seconds since the Unix epoch. */
const planChange = z.object({
  idOption: z.int(),
  /** What the offer says: another revision is not changed to by accident. */
  idRevision: z.int(),
  title: z.string(),
  /** The price of each period, VAT included. */
  priceWithVat: amount,
  pricePeriodicity: z.enum(PERIODICITIES),
  priceDetail: z.object({ recurrenceUnit: z.enum(RECURRENCE_UNITS).nullable(), recurrencePeriod: z.int() }),
  starts: z.enum(CHANGE_STARTS),
  /** When it starts. */
  at: z.int(),
  /** Due at that time for the first period, after the credit. VAT included. */
  amount,
  /** The unused time of what ends, which an upgrade takes into account. */
  credit: amount,
  /** What is charged after it: the next charge, and each that differs from the one before. */
  renewals: z.array(z.object({ priceWithVat: amount, at: z.int() })),
  /** Titles of options that the plan does not allow. They end with an upgrade, and do not renew otherwise. */
  endsOptions: z.array(z.string()),
})
export type PlanChange = z.infer<typeof planChange>

export const listChanges = operation({
  method: 'POST',
  path: '/proxy/listChanges',
  as: 'profile',
  summary:
    'The plans that a subscription can change to, the cheapest first: what is due, and when. None while its payment is overdue.',
  input: z.object({ subscriptionId: id, parentalProof }),
  output: z.array(planChange),
  errors: ['accountSuspended', 'invalidAccessCode', 'notFound'],
})

export const changeSubscription = operation({
  method: 'POST',
  path: '/proxy/changeSubscription',
  as: 'profile',
  summary:
    'Changes a subscription to another plan. An upgrade is paid now, and credits the unused time; any other change is noted for the next period.',
  input: z.object({
    subscriptionId: id,
    /** As `listChanges` answered them. An amount is good for 15 minutes. */
    idOption: id,
    idRevision: id,
    amount: text(20),
    ...paymentWish,
    /** That content starts at once, and with it the right to withdraw ends. */
    policyValidation: flag.refine((given) => given, 'must be true'),
    parentalProof,
  }),
  output: z.object({
    starts: z.enum(CHANGE_STARTS),
    /** The payment of an upgrade; null for a change that is noted. */
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
  summary:
    'Takes back a change of plan before the next period has begun. Taking it back again changes nothing.',
  input: z.object({ subscriptionId: id, parentalProof }),
  output: subscription,
  errors: ['accountSuspended', 'conflict', 'invalidAccessCode', 'notFound'],
})

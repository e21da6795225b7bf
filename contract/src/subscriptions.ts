import * as z from 'zod'
import { amount } from './money.ts'
import { PERIODICITIES } from './offers.ts'
import { operation } from './operation.ts'
import { askedPayment, OFFER_VALIDITY, paymentWish } from './orders.ts'
import { parentalProof } from './parental-proof.ts'
import { id } from './wire.ts'

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

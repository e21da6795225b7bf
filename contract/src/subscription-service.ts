import * as z from 'zod'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { id } from './wire.ts'

/**
 * A session at the third-party subscription service (A5-30). `jwt`, `refreshToken` and `customerId` are for the
 * service's page.
 */
const session = z.object({
  jwt: z.string().min(1),
  refreshToken: z.string().min(1),
  customerId: z.string().min(1),
  /** The operator's customer number at the service. */
  publisherId: z.string().min(1),
  /** The URL of the checkout page. The screen shows it in a frame. */
  checkoutUrl: z.url({ protocol: /^https?$/ }),
  /** The service's id of the offer; null if the call names no offer. */
  offerId: z.string().min(1).nullable(),
})
export type SubscriptionSession = z.infer<typeof session>

export const subscriptionSession = operation({
  method: 'GET',
  path: '/proxy/subscriptionSession',
  as: 'profile',
  summary: 'Signs the account in to the third-party subscription service, to buy an offer there (A7.3-15).',
  input: z.object({
    offerId: id.optional().describe('An offer of this service (`idOption`).'),
    parentalProof,
  }),
  output: session,
  errors: [
    'accountSuspended',
    'alreadySubscribed',
    'invalidAccessCode',
    'notFound',
    'resourceNotActive',
    'slowDown',
    'subscriptionOfAnother',
    'subscriptionServiceSilent',
  ],
})

export const refreshSubscriptions = operation({
  method: 'POST',
  path: '/proxy/refreshSubscriptions',
  as: 'profile',
  summary:
    'Asks the third-party subscription service which offers the account holds there, and grants or ends the rights.',
  input: z.object({ parentalProof }),
  output: z.object({
    /** Ids of the offers that the account holds at the subscription service. */
    optionIds: z.array(z.int()),
    /** Whether this call has granted or ended rights. */
    hasChanged: z.boolean(),
  }),
  errors: [
    'accountSuspended',
    'invalidAccessCode',
    'notFound',
    'slowDown',
    'subscriptionOfAnother',
    'subscriptionServiceSilent',
  ],
})

/**
 * Messages between the checkout screen and the service's page in its frame (`window.postMessage`). The page sends
 * `ready`, receives the session, and sends `finished` or `failed`.
 */
export const CHECKOUT_MESSAGES = {
  ready: 'ondine:ready',
  session: 'ondine:session',
  finished: 'ondine:finished',
  failed: 'ondine:failed',
} as const

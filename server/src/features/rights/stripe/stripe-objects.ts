import type { Stripe } from 'stripe'
import type { ProviderBook, ProviderMethod } from '../payments/payment-provider.ts'
import { ask, isRefusal } from './stripe-errors.ts'
import type { StripePayment } from './stripe-payments.ts'

/**
 * Stripe object of a payment: a Checkout page, or a charge of a saved card. For a payment of 0 cents, the page
 * only saves a card.
 */
export type StripeObject =
  | { way: 'page'; session: Stripe.Checkout.Session }
  | { way: 'charge'; intent: Stripe.PaymentIntent }

/** Fields to expand in a PaymentIntent: the card, and the charge. */
const OF_INTENT = ['payment_method', 'latest_charge']
const INTENT = { expand: OF_INTENT }
/** Fields to expand in a SetupIntent, which saves a card. */
const OF_SETUP = ['payment_method', 'latest_attempt']
const SESSION = {
  expand: [
    'payment_intent',
    ...OF_INTENT.map((field) => `payment_intent.${field}`),
    'setup_intent',
    ...OF_SETUP.map((field) => `setup_intent.${field}`),
  ],
}

/** Reads the Stripe object of a payment; undefined if it was not created yet. */
export async function readObject(
  stripe: Stripe,
  { way, objectId }: Pick<StripePayment, 'way' | 'objectId'>,
): Promise<StripeObject | undefined> {
  if (objectId === null) return undefined
  return way === 'page'
    ? { way, session: await ask(async () => await stripe.checkout.sessions.retrieve(objectId, SESSION)) }
    : { way, intent: await ask(async () => await stripe.paymentIntents.retrieve(objectId, INTENT)) }
}

export function objectIdOf(object: StripeObject): string {
  return object.way === 'page' ? object.session.id : object.intent.id
}

/** Stripe intent of an object: a PaymentIntent charges a card, a SetupIntent saves a card. */
type StripeIntent = Stripe.PaymentIntent | Stripe.SetupIntent

/**
 * Returns the PaymentIntent of an object. A Checkout page has a PaymentIntent once the customer has entered a
 * card. A page that only saves a card has no PaymentIntent.
 */
export function paymentIntentOf(object: StripeObject): Stripe.PaymentIntent | undefined {
  return object.way === 'charge' ? object.intent : expanded(object.session.payment_intent)
}

/**
 * Returns the PaymentIntent of an object, or the SetupIntent of a page that only saves a card. Stripe creates the
 * SetupIntent together with the page.
 */
export function intentOf(object: StripeObject): StripeIntent | undefined {
  const setup = object.way === 'page' ? expanded(object.session.setup_intent) : undefined
  return paymentIntentOf(object) ?? setup
}

function expanded<Value>(read: string | Value | null): Value | undefined {
  return read === null || typeof read === 'string' ? undefined : read
}

/** Returns whether the object is closed without a payment or a saved card. */
export function isClosed(object: StripeObject): boolean {
  if (object.way === 'page' && object.session.status === 'expired') return true
  return intentOf(object)?.status === 'canceled' || isUnsaved(object)
}

/**
 * Returns whether a page that saves a card is complete although the card was refused. Stripe closes neither the
 * page nor its SetupIntent in this case.
 */
function isUnsaved(object: StripeObject): boolean {
  if (object.way !== 'page' || object.session.status !== 'complete') return false
  return expanded(object.session.setup_intent)?.status.startsWith('requires_') ?? false
}

/**
 * Returns whether the object was closed to be replaced by another object. Every expired page counts as replaced:
 * the customer can get another page until the payment expires.
 */
export function isReplaced(object: StripeObject): boolean {
  if (object.way === 'page' && object.session.status === 'expired') return true
  const intent = intentOf(object)
  return intent?.status === 'canceled' && intent.cancellation_reason === 'duplicate'
}

/** Returns whether the object waits for a card or for another action of the customer. */
export function isOpen(object: StripeObject): boolean {
  if (object.way === 'page' && object.session.status !== 'complete') return object.session.status === 'open'
  return paymentIntentOf(object)?.status.startsWith('requires_') ?? false
}

/**
 * Closes an open object, so that it can take no more money. Stripe refuses this if the object was paid meanwhile,
 * or if it waits for a bank. The object then stays as it is.
 *
 * @param reason `duplicate` if another object will replace this object ({@link isReplaced})
 * @returns the object after the request
 */
export async function closeObject(
  stripe: Stripe,
  object: StripeObject,
  reason: 'abandoned' | 'duplicate',
): Promise<StripeObject> {
  if (!isOpen(object)) return object
  const id = objectIdOf(object)
  try {
    if (object.way === 'page' && object.session.status === 'open')
      return {
        way: 'page',
        session: await ask(async () => await stripe.checkout.sessions.expire(id, SESSION)),
      }
    const intentId = paymentIntentOf(object)?.id ?? id
    await ask(async () => await stripe.paymentIntents.cancel(intentId, { cancellation_reason: reason }))
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
  return (await readObject(stripe, { way: object.way, objectId: id })) ?? object
}

/** Returns whether the bank of the saved card requires that the customer confirms the payment. */
export function needsCustomer({ status, last_payment_error: error }: Stripe.PaymentIntent): boolean {
  return status === 'requires_action' || (isRetryable(status) && error?.code === 'authentication_required')
}

/** Returns whether the PaymentIntent has not tried to charge a saved card yet. */
export function isUntried({ status, last_payment_error: error }: Stripe.PaymentIntent): boolean {
  return isRetryable(status) && error === null
}

/**
 * Returns whether the card was declined, and the object is still open at Stripe. A charge that waits for the customer's
 * confirmation was not declined. A card declined on an open checkout page does not count, because the customer can
 * enter another card on the page.
 */
export function isDeclined(object: StripeObject): boolean {
  if (object.way === 'page') return object.session.status === 'complete' && isOpen(object)
  return isOpen(object) && !isUntried(object.intent) && !needsCustomer(object.intent)
}

function isRetryable(status: Stripe.PaymentIntent.Status): boolean {
  return status === 'requires_payment_method' || status === 'requires_confirmation'
}

/** Returns when the card was charged or saved, in milliseconds since the Unix epoch. */
export function paidAtOf(intent: StripeIntent): number {
  const last = expanded<Stripe.Charge | Stripe.SetupAttempt>(
    intent.object === 'payment_intent' ? intent.latest_charge : intent.latest_attempt,
  )
  return (last?.created ?? intent.created) * 1000
}

/**
 * Returns the card that was charged or saved; null for another kind of payment method, because only cards are
 * stored.
 */
export function methodOf({ payment_method: method }: StripeIntent): ProviderMethod | null {
  return method === null || typeof method === 'string' ? null : cardOf(method)
}

/** Returns the card of a payment method; null for another kind of payment method. */
export function cardOf(method: Stripe.PaymentMethod): ProviderMethod | null {
  if (!method.card) return null
  const { brand, last4: lastDigits, exp_month: month, exp_year: year } = method.card
  // A card is valid until the end of its month. Stripe counts months from 1, `Date.UTC` from 0: this is the first
  // day after.
  return { reference: method.id, brand, lastDigits, expiresAt: Date.UTC(year, month) }
}

/** States of a dispute in which the customer's bank has not taken the money, or has given it back. */
const MONEY_IS_HERE: ReadonlySet<string> = new Set([
  'prevented',
  'warning_closed',
  'warning_needs_response',
  'warning_under_review',
  'won',
])

/** Returns the amounts that an object has received and refunded. */
export async function bookOf(stripe: Stripe, object: StripeObject): Promise<ProviderBook> {
  const intent = paymentIntentOf(object)
  const charge = expanded(intent?.latest_charge ?? null)
  const disputes = charge?.disputed
    ? await ask(async () => await stripe.disputes.list({ charge: charge.id }))
    : { data: [] }
  return {
    received: intent?.amount_received ?? 0,
    refunded: charge?.amount_refunded ?? 0,
    isTakenBack: disputes.data.some(({ status }) => !MONEY_IS_HERE.has(status)),
  }
}

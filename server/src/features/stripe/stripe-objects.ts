import type { Stripe } from 'stripe'
import type { ProviderBook, ProviderMethod } from '../payments/payment-provider.ts'
import { ask, isRefusal } from './stripe-errors.ts'
import type { StripePayment } from './stripe-payments.ts'

/** The object at Stripe that can take the money of a payment; a page may also save a card, which is a payment of nothing. */
export type StripeObject =
  | { way: 'page'; session: Stripe.Checkout.Session }
  | { way: 'charge'; intent: Stripe.PaymentIntent }

/** What of a PaymentIntent is needed beside itself: the card, and when it was charged. */
const OF_INTENT = ['payment_method', 'latest_charge']
const INTENT = { expand: OF_INTENT }
/** The same of a SetupIntent, which saves a card. */
const OF_SETUP = ['payment_method', 'latest_attempt']
const SESSION = {
  expand: [
    'payment_intent',
    ...OF_INTENT.map((field) => `payment_intent.${field}`),
    'setup_intent',
    ...OF_SETUP.map((field) => `setup_intent.${field}`),
  ],
}

/** Reads the object of a payment; undefined while there is none. */
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

/** What becomes of a card at Stripe: it pays, or it is saved. */
type StripeIntent = Stripe.PaymentIntent | Stripe.SetupIntent

/** The PaymentIntent of an object; a page has one once a card was shown on it. None where a card is saved. */
export function paymentIntentOf(object: StripeObject): Stripe.PaymentIntent | undefined {
  return object.way === 'charge' ? object.intent : expanded(object.session.payment_intent)
}

/** The intent of an object: a page that saves a card has a SetupIntent from the beginning. */
export function intentOf(object: StripeObject): StripeIntent | undefined {
  const setup = object.way === 'page' ? expanded(object.session.setup_intent) : undefined
  return paymentIntentOf(object) ?? setup
}

function expanded<Value>(read: string | Value | null): Value | undefined {
  return read === null || typeof read === 'string' ? undefined : read
}

/** Whether the object takes neither money nor a card any more, and has taken none. */
export function isClosed(object: StripeObject): boolean {
  if (object.way === 'page' && object.session.status === 'expired') return true
  return intentOf(object)?.status === 'canceled' || isUnsaved(object)
}

/** Whether a page is complete, and its card was refused all the same. Stripe closes neither it nor its SetupIntent. */
function isUnsaved(object: StripeObject): boolean {
  if (object.way !== 'page' || object.session.status !== 'complete') return false
  return expanded(object.session.setup_intent)?.status.startsWith('requires_') ?? false
}

/**
 * Whether the object was closed so that another one can take its place. A page counts as such whoever has closed it: a payment does
 * not fail on a page before its time is over.
 */
export function isReplaced(object: StripeObject): boolean {
  if (object.way === 'page' && object.session.status === 'expired') return true
  const intent = intentOf(object)
  return intent?.status === 'canceled' && intent.cancellation_reason === 'duplicate'
}

/** Whether the object waits for a card, or for a customer who shows one. */
export function isOpen(object: StripeObject): boolean {
  if (object.way === 'page' && object.session.status !== 'complete') return object.session.status === 'open'
  return paymentIntentOf(object)?.status.startsWith('requires_') ?? false
}

/**
 * Closes an object that is open, so that it takes no money any more. Stripe refuses to close what was paid meanwhile, or waits for
 * a bank.
 *
 * @param reason `duplicate` when another object is to take its place ({@link isReplaced})
 * @returns the object as it is then
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

/** The bank of the saved card wants its customer to confirm the payment. */
export function needsCustomer({ status, last_payment_error: error }: Stripe.PaymentIntent): boolean {
  return status === 'requires_action' || (isRetryable(status) && error?.code === 'authentication_required')
}

/** No saved card was charged by the PaymentIntent yet. */
export function isUntried({ status, last_payment_error: error }: Stripe.PaymentIntent): boolean {
  return isRetryable(status) && error === null
}

/** The saved card, or the bank that was given on a page, has refused to pay. A card that is refused on a page can be changed there. */
export function isDeclined(object: StripeObject): boolean {
  if (object.way === 'page') return object.session.status === 'complete' && isOpen(object)
  return isOpen(object) && !isUntried(object.intent) && !needsCustomer(object.intent)
}

function isRetryable(status: Stripe.PaymentIntent.Status): boolean {
  return status === 'requires_payment_method' || status === 'requires_confirmation'
}

/** When the money came, or the card, in milliseconds since the Unix epoch. */
export function paidAtOf(intent: StripeIntent): number {
  const last = expanded<Stripe.Charge | Stripe.SetupAttempt>(
    intent.object === 'payment_intent' ? intent.latest_charge : intent.latest_attempt,
  )
  return (last?.created ?? intent.created) * 1000
}

/** The card that paid, or was saved; null for another method, which is not kept. */
export function methodOf({ payment_method: method }: StripeIntent): ProviderMethod | null {
  if (method === null || typeof method === 'string' || !method.card) return null
  const { brand, last4: lastDigits, exp_month: month, exp_year: year } = method.card
  // A card pays until the last day of its month. Months of the package count from 1.
  return { reference: method.id, brand, lastDigits, expiresAt: Date.UTC(year, month) }
}

/** The money that an object has taken, and what of it went back. */
export function bookOf(object: StripeObject): ProviderBook {
  const intent = paymentIntentOf(object)
  const charge = intent?.latest_charge
  const refunded = charge && typeof charge !== 'string' ? charge.amount_refunded : 0
  return { received: intent?.amount_received ?? 0, refunded }
}

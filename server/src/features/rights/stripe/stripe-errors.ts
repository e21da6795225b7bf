import { Stripe } from 'stripe'
import { ProviderSilent } from '../payments/payments.service.ts'

/**
 * Sends a request to Stripe.
 *
 * @throws ProviderSilent if Stripe does not answer, is too busy or fails. Its `cause` is Stripe's error
 * @throws Error with an explanation if Stripe refuses the API key. Other errors of Stripe are thrown unchanged
 */
export async function ask<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  const { StripeConnectionError, StripeAPIError, StripeRateLimitError } = Stripe.errors
  const { StripeAuthenticationError, StripePermissionError } = Stripe.errors
  try {
    return await request()
  } catch (error) {
    for (const kind of [StripeConnectionError, StripeAPIError, StripeRateLimitError])
      if (error instanceof kind) throw new ProviderSilent('Stripe does not answer.', { cause: error })
    for (const kind of [StripeAuthenticationError, StripePermissionError])
      if (error instanceof kind) throw new Error('Stripe refuses STRIPE_SECRET_KEY.', { cause: error })
    throw error
  }
}

/**
 * Returns whether Stripe has answered with an internal failure. Stripe repeats this response for the same
 * idempotency key, so a retry needs a new key.
 */
export function isKeptFailure(error: unknown): boolean {
  return (
    error instanceof ProviderSilent &&
    error.cause instanceof Stripe.errors.StripeAPIError &&
    (error.cause.statusCode ?? 0) >= 500
  )
}

/**
 * Returns whether Stripe has refused a request: the Stripe object is in the wrong state, or the card was declined.
 */
export function isRefusal(error: unknown): boolean {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors
  return error instanceof StripeCardError || error instanceof StripeInvalidRequestError
}

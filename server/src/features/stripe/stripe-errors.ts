import { Stripe } from 'stripe'
import { ProviderSilent } from '../payments/payment-provider.ts'

/**
 * Asks Stripe for something.
 *
 * @throws ProviderSilent when it does not answer, is too busy or fails; the cause is Stripe's error
 * @throws Error that says so when it refuses the key of this installation; any other error of Stripe as it is
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
 * Whether Stripe has answered that it failed. It gives that answer again to each request with the same idempotency key, so that
 * another try needs another key.
 */
export function isKeptFailure(error: unknown): boolean {
  return (
    error instanceof ProviderSilent &&
    error.cause instanceof Stripe.errors.StripeAPIError &&
    (error.cause.statusCode ?? 0) >= 500
  )
}

/** Whether Stripe has refused what it was asked for: an object is not in the state for it, or a card does not pay. */
export function isRefusal(error: unknown): boolean {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors
  return error instanceof StripeCardError || error instanceof StripeInvalidRequestError
}

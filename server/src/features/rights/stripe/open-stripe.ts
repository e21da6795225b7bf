import { Stripe } from 'stripe'
import type { Context } from '../../../context.ts'
import { StripeProvider } from './stripe-provider.ts'

/** Timeout of requests to Stripe, in milliseconds. It is short, because customers wait for the result. */
const TIMEOUT_MS = 10_000

/** Opens the Stripe provider; undefined if its keys are not set. */
export function openStripe({
  settings,
  db,
  clock,
}: Pick<Context, 'settings' | 'db' | 'clock'>): StripeProvider | undefined {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_BASE: base } = settings
  if (key === undefined || secret === undefined) return undefined
  const config = { timeout: TIMEOUT_MS, maxNetworkRetries: 1, telemetry: false }
  return new StripeProvider(new Stripe(key, { ...config, ...(base && addressOf(base)) }), secret, {
    db,
    clock,
  })
}

function addressOf(base: string): Pick<Stripe.StripeConfig, 'protocol' | 'host' | 'port'> {
  const { protocol, hostname: host, port } = new URL(base)
  const isPlain = protocol === 'http:'
  return { protocol: isPlain ? 'http' : 'https', host, port: port || (isPlain ? 80 : 443) }
}

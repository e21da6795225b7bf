import type { JobQueue } from '../../../jobs/queue.ts'
import type { StripeProvider } from './stripe-provider.ts'

const FORGET = 'stripe-forget'

/** Starts the nightly job that deletes the Stripe customers of deleted accounts. */
export async function startStripeJobs(jobs: JobQueue, stripe: StripeProvider): Promise<void> {
  await jobs.declare(FORGET, { alone: true, retries: 3, expireSeconds: 3600 })
  await jobs.work(FORGET, async (_data, signal) => {
    await stripe.forgetCustomers(signal)
  })
  await jobs.schedule(FORGET, '50 3 * * *')
}

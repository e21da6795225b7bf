import type { JobQueue } from '../../../jobs/queue.ts'
import { renewSubscriptions, type SubscriptionJobParts } from './renewals.service.ts'
import { remind } from './subscription-reminders.ts'

const RENEW = 'subscriptions-renew'
const REMIND = 'subscriptions-remind'

/**
 * Starts the jobs that renew subscriptions every minute and send reminders every night. Concurrent processes share the
 * work.
 */
export async function startSubscriptionJobs(jobs: JobQueue, parts: SubscriptionJobParts): Promise<void> {
  const { db, clock } = parts
  await jobs.declare(RENEW, { retries: 0, expireSeconds: 3600 })
  await jobs.declare(REMIND, { alone: true, retries: 0, expireSeconds: 3600 })
  await jobs.work(RENEW, async (_data, signal) => await renewSubscriptions(parts, signal))
  await jobs.work(REMIND, async (_data, signal) => {
    await remind(db, clock.now(), signal)
  })
  await jobs.schedule(RENEW, '* * * * *', 'due')
  await jobs.schedule(REMIND, '20 3 * * *', 'due')
}

import type { JobQueue } from '../../../jobs/queue.ts'
import { openPeriods } from './open-periods.ts'
import { chargePeriods, type RenewalParts } from './renewals.ts'
import { type EmailParts, sendEmails } from './subscription-emails.ts'
import { remind } from './subscription-reminders.ts'

const RENEW = 'subscriptions-renew'
const REMIND = 'subscriptions-remind'

/** Dependencies of the jobs for subscriptions. */
export type SubscriptionJobParts = RenewalParts & EmailParts

/** Opens due periods, charges them, and sends the e-mails that wait. */
export async function renewSubscriptions(parts: SubscriptionJobParts, signal?: AbortSignal): Promise<void> {
  const { db, clock } = parts
  await openPeriods(db, clock.now(), signal)
  await chargePeriods(parts, signal)
  while ((await sendEmails(parts, clock.now())) > 0) signal?.throwIfAborted()
}

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

import type { JobQueue } from '../../../jobs/queue.ts'
import { openPeriods } from './open-periods.ts'
import { chargePeriods, type RenewalParts } from './renewals.ts'
import { type EmailParts, sendEmails } from './subscription-emails.ts'
import { remind } from './subscription-reminders.ts'

const RENEW = 'subscriptions-renew'
const REMIND = 'subscriptions-remind'

/** What the work on subscriptions is done with. */
export type SubscriptionJobParts = RenewalParts & EmailParts

/** Opens and charges what is due, and sends the letters that wait. */
export async function renewSubscriptions(parts: SubscriptionJobParts, signal?: AbortSignal): Promise<void> {
  const { db, clock } = parts
  await openPeriods(db, clock.now(), signal)
  await chargePeriods(parts, signal)
  while ((await sendEmails(parts, clock.now())) > 0) signal?.throwIfAborted()
}

/** Renews every minute, and reminds every night. Several processes share what is due. */
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

import { openPeriods } from './open-periods.ts'
import { chargePeriods, type RenewalParts } from './renewals.ts'
import { type EmailParts, sendEmails } from './subscription-emails.ts'

/** What the work on subscriptions is done with. */
export type SubscriptionJobParts = RenewalParts & EmailParts

/** Opens and charges what is due, and sends the letters that wait. */
export async function renewSubscriptions(parts: SubscriptionJobParts, signal?: AbortSignal): Promise<void> {
  const { db, clock } = parts
  await openPeriods(db, clock.now(), signal)
  await chargePeriods(parts, signal)
  while ((await sendEmails(parts, clock.now())) > 0) signal?.throwIfAborted()
}

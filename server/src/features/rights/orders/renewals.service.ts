import { openPeriods } from './open-periods.ts'
import { chargePeriods, type RenewalParts } from './renewals.ts'
import { type EmailParts, sendEmails } from './subscription-emails.ts'

/** Dependencies of the jobs for subscriptions. */
export type SubscriptionJobParts = RenewalParts & EmailParts

/** Opens periods that are about to begin, charges periods that are due, and sends stored e-mails. */
export async function renewSubscriptions(parts: SubscriptionJobParts, signal?: AbortSignal): Promise<void> {
  const { db, clock } = parts
  await openPeriods(db, clock.now(), signal)
  await chargePeriods(parts, signal)
  while ((await sendEmails(parts, clock.now())) > 0) signal?.throwIfAborted()
}

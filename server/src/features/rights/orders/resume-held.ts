import { eq } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { GRANT_STATUS } from '../entitlements/grants.service.ts'
import { type AccountSubscription, hasCardFor, holdSubscription } from './account-subscriptions.ts'
import { subscriptions } from './orders.table.ts'
import { writeDown } from './subscription-emails.ts'
import { nextPeriod } from './subscription-periods.ts'

/**
 * Stores the card of an order for a subscription, and resumes the subscription.
 *
 * @throws ServiceError notFound if the subscription has ended
 */
export async function giveCard(
  tx: Transaction,
  {
    accountId,
    subscriptionId,
    methodId,
  }: { accountId: number; subscriptionId: number; methodId: number | null },
  now: number,
): Promise<void> {
  await resumeHeld(tx, await holdSubscription(tx, accountId, subscriptionId, now), now, methodId)
}

/**
 * Resumes a subscription, and queues an e-mail about its next charge.
 *
 * @param methodId the card for the next charges; undefined to keep the card of the subscription
 */
export async function resumeHeld(
  tx: Transaction,
  { subscription, offer, ...held }: AccountSubscription,
  now: number,
  methodId?: number | null,
): Promise<undefined> {
  const { id, statusId, periodEnd: about } = subscription
  if (statusId === GRANT_STATUS.active && methodId === undefined) return
  const card = methodId === undefined ? {} : { methodId, isCardOfChange: false }
  await tx
    .update(subscriptions)
    .set({ statusId: GRANT_STATUS.active, ...card })
    .where(eq(subscriptions.id, id))
  const { cents } = nextPeriod(subscription, offer.terms, now, held)
  // Without a card, the subscription ends instead of the renewal that the e-mail announces.
  if (hasCardFor({ ...subscription, ...card }, cents))
    await writeDown(tx, [{ subscriptionId: id, letter: 'subscriptionResumed', about, cents }], {
      again: true,
    })
}

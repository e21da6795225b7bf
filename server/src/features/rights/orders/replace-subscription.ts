import { inArray } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { endGrants, GRANT_STATUS } from '../entitlements/grants.service.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { subscriptionsOf } from './account-subscriptions.ts'
import { voidDue } from './end-subscriptions.ts'
import { subscriptions } from './orders.table.ts'
import { creditOf, endedOptions, type PaidItem, paidItem } from './plan-changes.ts'
import type { Subscription } from './subscription-periods.ts'

/** An upgrade to execute. */
interface Upgrade {
  accountId: number
  replacesId: number
  /** When the order of the upgrade was submitted and its credit computed. */
  submittedAt: number
  creditCents: number
  offer: { key: string; terms: OfferTerms }
}

/**
 * Ends the subscription that an upgrade replaces, and the options that the new plan does not allow.
 *
 * @returns the subscription before it ended
 * @throws ServiceError conflict if the subscription has already ended. Also if it has renewed in the meantime,
 * because its unused time is then worth more than the credit
 */
export async function endReplaced(
  tx: Transaction,
  { accountId, replacesId, submittedAt, creditCents, offer }: Upgrade,
  now: number,
): Promise<Subscription> {
  const all = await subscriptionsOf(tx, accountId, now)
  const held = all.find(({ subscription }) => subscription.id === replacesId)
  if (!held) throw new ServiceError('conflict')
  const ending = [held, ...endedOptions(held, offer, all)].map(({ subscription }) => subscription)
  const paid = new Map<number, PaidItem>()
  for (const each of ending) paid.set(each.id, await paidItem(tx, each))
  const owed = ending.reduce((sum, each) => sum + creditOf(each, paid, submittedAt), 0)
  if (owed > creditCents) throw new ServiceError('conflict')
  const ids = ending.map(({ id }) => id)
  await tx
    .update(subscriptions)
    .set({ endedAt: now, statusId: GRANT_STATUS.cancelled })
    .where(inArray(subscriptions.id, ids))
  await voidDue(tx, ids, now)
  const sourceIds = [...paid.values()].map(({ itemId }) => String(itemId))
  await endGrants(tx, { source: 'subscription', sourceIds, accountIds: [accountId] }, now)
  return held.subscription
}

import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database, Transaction } from '../../database/connection.ts'
import { notFoundBy } from '../../http/errors.ts'
import { holdAccount } from '../accounts/accounts.service.ts'
import { GRANT_STATUS } from '../entitlements/grants.service.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { offerRevisions, offers } from '../offers/offers.table.ts'
import { subscriptionPeriods, subscriptions } from './orders.table.ts'
import type { Subscription, SubscriptionPeriod } from './subscription-periods.ts'

/** An offer with the terms that it was bought by. */
interface BoughtOffer {
  id: number
  key: string
  terms: OfferTerms
}

/** A subscription of an account, with the terms of its purchase and the period that waits for its payment. */
export interface AccountSubscription {
  subscription: Subscription
  offer: BoughtOffer
  /** What its next period changes to. */
  change: BoughtOffer | null
  due: SubscriptionPeriod | null
}

/** The offer and the revision that a subscription or a period changes to, for joins on `changesTo`. */
export const changedOffers = alias(offers, 'changed_offers')
export const changedRevisions = alias(offerRevisions, 'changed_revisions')

/** Columns of these, as {@link changeIn} reads them. */
export const CHANGED = {
  changedId: changedOffers.id,
  changedKey: changedOffers.key,
  changedTerms: changedRevisions.terms,
}

/** What a row changes to; null when it does not. */
export function changeIn({
  changedId: id,
  changedKey: key,
  changedTerms: terms,
}: {
  changedId: number | null
  changedKey: string | null
  changedTerms: OfferTerms | null
}): BoughtOffer | null {
  return id === null || key === null || terms === null ? null : { id, key, terms }
}

/** The subscriptions that an account has. @param now milliseconds since the Unix epoch */
export async function subscriptionsOf(
  db: Database | Transaction,
  accountId: number,
  now: number,
): Promise<AccountSubscription[]> {
  const rows = await db
    .select({
      subscription: subscriptions,
      offer: { id: offers.id, key: offers.key, terms: offerRevisions.terms },
      ...CHANGED,
      due: subscriptionPeriods,
    })
    .from(subscriptions)
    .innerJoin(offerRevisions, eq(subscriptions.offerRevisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .leftJoin(changedRevisions, eq(subscriptions.changesTo, changedRevisions.id))
    .leftJoin(changedOffers, eq(changedRevisions.offerId, changedOffers.id))
    .leftJoin(
      subscriptionPeriods,
      and(eq(subscriptionPeriods.subscriptionId, subscriptions.id), eq(subscriptionPeriods.state, 'due')),
    )
    .where(
      and(
        eq(subscriptions.accountId, accountId),
        isNull(subscriptions.endedAt),
        or(eq(subscriptions.statusId, GRANT_STATUS.active), gt(subscriptions.periodEnd, now)),
      ),
    )
    .orderBy(subscriptions.id)
  return rows.map(({ subscription, offer, due, ...changed }) => ({
    subscription,
    offer,
    change: changeIn(changed),
    due,
  }))
}

/**
 * A subscription that runs, which nobody else changes until the transaction ends.
 *
 * @throws ServiceError notFound when the account has no such subscription
 */
export async function holdSubscription(
  tx: Transaction,
  accountId: number,
  id: number,
  now: number,
): Promise<AccountSubscription> {
  await holdAccount(tx, accountId)
  await tx.select({ id: subscriptions.id }).from(subscriptions).where(eq(subscriptions.id, id)).for('update')
  const found = (await subscriptionsOf(tx, accountId, now)).find(({ subscription }) => subscription.id === id)
  if (!found) throw notFoundBy('subscriptionId')
  return found
}

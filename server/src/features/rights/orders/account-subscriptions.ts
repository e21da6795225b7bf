import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database, Transaction } from '../../../database/connection.ts'
import { notFoundBy } from '../../../http/errors.ts'
import { holdAccount } from '../../people/accounts/accounts.service.ts'
import { GRANT_STATUS } from '../entitlements/grants.service.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { offerRevisions, offers } from '../offers/offers.table.ts'
import { type PlanElsewhere, plansElsewhere } from './holdings.service.ts'
import { subscriptionPeriods, subscriptions } from './orders.table.ts'
import {
  type ComingTerms,
  nextPeriod,
  type PeriodChange,
  type Subscription,
  type SubscriptionPeriod,
} from './subscription-periods.ts'

/** An offer with the terms that applied when it was bought. */
interface BoughtOffer {
  id: number
  key: string
  terms: OfferTerms
}

/** A subscription of an account: its current terms, its scheduled terms, and its period that waits for payment. */
export interface AccountSubscription extends ComingTerms {
  subscription: Subscription
  offer: BoughtOffer
  change: ChangedOffer | null
  due: SubscriptionPeriod | null
}

/** The new offer of a subscription or a period, after a change of plan. */
type ChangedOffer = BoughtOffer & PeriodChange

/** The new offers of subscriptions or periods, for joins on `changesTo`. */
export const changedOffers = alias(offers, 'changed_offers')
export const changedRevisions = alias(offerRevisions, 'changed_revisions')
/** The new revisions of subscriptions, for joins on `migratesTo`. */
export const migratedRevisions = alias(offerRevisions, 'migrated_revisions')

/** Columns of a change of plan, for {@link changeIn}. */
export const CHANGED = {
  changedId: changedOffers.id,
  changedKey: changedOffers.key,
  changedRevisionId: changedRevisions.id,
  changedTerms: changedRevisions.terms,
}

/** Columns of a change of plan and of a migration, for {@link comingIn}. */
export const COMING = {
  ...CHANGED,
  migratedRevisionId: migratedRevisions.id,
  migratedTerms: migratedRevisions.terms,
}

interface Changed {
  changedId: number | null
  changedKey: string | null
  changedRevisionId: number | null
  changedTerms: OfferTerms | null
}

/** Returns the new offer of the subscription or period in a row; null if no change is scheduled. */
export function changeIn({
  changedId: id,
  changedKey: key,
  changedRevisionId: revisionId,
  changedTerms: terms,
}: Changed): ChangedOffer | null {
  if (id === null || key === null || revisionId === null || terms === null) return null
  return { id, key, revisionId, terms }
}

/**
 * Returns the scheduled change of plan and the scheduled migration of a subscription. Each is null if nothing is
 * scheduled.
 */
export function comingIn({
  migratedRevisionId: revisionId,
  migratedTerms: terms,
  ...changed
}: Changed & { migratedRevisionId: number | null; migratedTerms: OfferTerms | null }): Pick<
  AccountSubscription,
  'change' | 'migration'
> {
  const migration = revisionId === null || terms === null ? null : { revisionId, terms }
  return { change: changeIn(changed), migration }
}

/** The running subscriptions of an account. Each of them can keep an option that requires it. */
export interface RunningPlans {
  own: AccountSubscription[]
  elsewhere: PlanElsewhere[]
}

/** Returns the running subscriptions of an account. @param now milliseconds since the Unix epoch */
export async function runningPlansOf(
  db: Database | Transaction,
  accountId: number,
  now: number,
): Promise<RunningPlans> {
  return {
    own: await subscriptionsOf(db, accountId, now),
    elsewhere: await plansElsewhere(db, accountId, now),
  }
}

/** Returns whether the next charge of a subscription can be made: nothing is due, or the customer has chosen a card. */
export function hasCardFor({ methodId }: Pick<Subscription, 'methodId'>, cents: number): boolean {
  return methodId !== null || cents === 0
}

/** Returns the columns of a subscription whose scheduled change of plan is undone. */
export function withoutChange({
  methodId,
  isCardOfChange,
}: Pick<Subscription, 'methodId' | 'isCardOfChange'>): Pick<
  Subscription,
  'changesTo' | 'methodId' | 'isCardOfChange'
> {
  return { changesTo: null, methodId: isCardOfChange ? null : methodId, isCardOfChange: false }
}

/**
 * Returns whether a subscription is an option that ends, because no plan that it requires continues. A plan that ends
 * later than the current period of the option still counts, so the option is renewed once more.
 */
function endsWithoutPlan(
  { offer, subscription: { periodEnd } }: AccountSubscription,
  { own, elsewhere }: RunningPlans,
  now: number,
): boolean {
  const needed = offer.terms.requires
  return (
    needed.length > 0 &&
    !own.some(
      (plan) =>
        (isContinued(plan, now) && needed.includes((plan.change ?? plan.offer).key)) ||
        (plan.change === null && plan.subscription.periodEnd > periodEnd && needed.includes(plan.offer.key)),
    ) &&
    !elsewhere.some(({ key, renews, to }) => needed.includes(key) && (renews || to > periodEnd))
  )
}

/** As {@link endsWithoutPlan}, for callers without the plans of the account: reads them first. */
export async function endsWithPlan(
  tx: Transaction,
  { id, accountId }: Subscription,
  { requires }: Pick<OfferTerms, 'requires'>,
  now: number,
): Promise<boolean> {
  if (requires.length === 0) return false
  const plans = await runningPlansOf(tx, accountId, now)
  const option = plans.own.find(({ subscription }) => subscription.id === id)
  return option !== undefined && endsWithoutPlan(option, plans, now)
}

/**
 * Returns whether a subscription goes on after its paid period: it is not cancelled, a plan that it requires goes on,
 * and a card was chosen for its next charge. A period that has begun unpaid can still be paid.
 */
export function goesOn(held: AccountSubscription, plans: RunningPlans, now: number): boolean {
  return isContinued(held, now) && !endsWithoutPlan(held, plans, now)
}

/** Returns {@link goesOn}, without regard to the plans that a subscription requires. */
function isContinued(held: AccountSubscription, now: number): boolean {
  const { subscription, due } = held
  if (subscription.statusId !== GRANT_STATUS.active) return false
  const isUnpaid = due !== null && due.startsAt <= now
  return isUnpaid || hasCardFor(subscription, nextCents(held, now))
}

/** Returns the price of the next period of a subscription, in cents. */
export function nextCents(held: AccountSubscription, now: number): number {
  const { subscription, offer, due } = held
  return due?.cents ?? nextPeriod(subscription, offer.terms, now, held).cents
}

/** Returns the running subscriptions of an account. @param now milliseconds since the Unix epoch */
export async function subscriptionsOf(
  db: Database | Transaction,
  accountId: number,
  now: number,
): Promise<AccountSubscription[]> {
  const rows = await db
    .select({
      subscription: subscriptions,
      offer: { id: offers.id, key: offers.key, terms: offerRevisions.terms },
      ...COMING,
      due: subscriptionPeriods,
    })
    .from(subscriptions)
    .innerJoin(offerRevisions, eq(subscriptions.offerRevisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .leftJoin(changedRevisions, eq(subscriptions.changesTo, changedRevisions.id))
    .leftJoin(changedOffers, eq(changedRevisions.offerId, changedOffers.id))
    .leftJoin(migratedRevisions, eq(subscriptions.migratesTo, migratedRevisions.id))
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
  return rows.map(({ subscription, offer, due, ...coming }) => ({
    subscription,
    offer,
    ...comingIn(coming),
    due,
  }))
}

/**
 * Locks an account and one of its running subscriptions until the transaction ends, and returns the subscription.
 *
 * @throws ServiceError notFound if the account has no such subscription
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

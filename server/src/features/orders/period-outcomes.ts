import { eq } from 'drizzle-orm'
import type { Transaction } from '../../database/connection.ts'
import { ServiceError } from '../../http/errors.ts'
import { addGrants, endGrants, GRANT_STATUS, type NewGrant } from '../entitlements/grants.service.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import { CHANGED, changedOffers, changedRevisions, changeIn } from './account-subscriptions.ts'
import { planOf } from './holdings.ts'
import { subscriptionPeriods, subscriptions } from './orders.table.ts'
import { writeDown } from './subscription-letters.ts'
import {
  countedFrom,
  DAY_MS,
  nextRetry,
  type Period,
  type PeriodChange,
  type Subscription,
  type SubscriptionPeriod,
} from './subscription-periods.ts'

/** Access is kept for so long after the moment of a charge: the work in the background may be late, and a bank as well. */
const GRACE_MS = DAY_MS

/** A further period of a subscription, with the terms that it is paid by. */
export interface HeldPeriod {
  subscription: Subscription
  period: SubscriptionPeriod
  terms: OfferTerms
  /** The terms that begin with the period: another plan, or a revision that its operator brings it to. */
  begins: PeriodChange | null
}

/** A period and its subscription, which nobody else changes until the transaction ends. */
export async function holdPeriod(tx: Transaction, periodId: number): Promise<HeldPeriod> {
  const [found] = await tx
    .select({
      subscription: subscriptions,
      period: subscriptionPeriods,
      terms: offerRevisions.terms,
      ...CHANGED,
    })
    .from(subscriptionPeriods)
    .innerJoin(subscriptions, eq(subscriptionPeriods.subscriptionId, subscriptions.id))
    .innerJoin(offerRevisions, eq(subscriptions.offerRevisionId, offerRevisions.id))
    .leftJoin(changedRevisions, eq(subscriptionPeriods.changesTo, changedRevisions.id))
    .leftJoin(changedOffers, eq(changedRevisions.offerId, changedOffers.id))
    .where(eq(subscriptionPeriods.id, periodId))
    // The subscription first, as everywhere.
    .for('update', { of: [subscriptions, subscriptionPeriods] })
    .prepare('hold_period')
    .execute()
  if (!found) throw new Error(`There is no period ${periodId}.`)
  const { subscription, period, terms, ...changed } = found
  return { subscription, period, terms, begins: changeIn(changed) }
}

/** The terms that a period is paid by. */
export function termsOf({ terms, begins }: Pick<HeldPeriod, 'terms'> & Pick<Period, 'begins'>): OfferTerms {
  return begins?.terms ?? terms
}

/** Whether a period is waiting for its payment. */
export function isDue({ subscription, period }: HeldPeriod): boolean {
  const { statusId, endedAt } = subscription
  return period.state === 'due' && statusId === GRANT_STATUS.active && endedAt === null
}

/**
 * A period is paid: the subscription goes on, with the rights of the period.
 *
 * @returns the period
 * @throws ServiceError conflict when it was paid before, or was cancelled meanwhile
 */
export async function extend(
  tx: Transaction,
  periodId: number,
  { itemId, methodId, now }: { itemId: number; methodId: number | null; now: number },
): Promise<SubscriptionPeriod> {
  const held = await holdPeriod(tx, periodId)
  if (!isDue(held)) throw new ServiceError('conflict')
  const { subscription, period, begins } = held
  await tx.update(subscriptionPeriods).set({ state: 'paid' }).where(eq(subscriptionPeriods.id, periodId))
  await tx
    .update(subscriptions)
    .set({
      period: period.period,
      periodStart: period.startsAt,
      periodEnd: period.endsAt,
      isOpened: false,
      methodId: methodId ?? subscription.methodId,
      ...countedFrom(subscription, begins !== null && isChange(subscription, begins)),
      ...(begins && beginTerms(subscription, begins)),
    })
    .where(eq(subscriptions.id, subscription.id))
  await addGrants(
    tx,
    termsOf(held).packageIds.map((packageId) => ({
      accountId: subscription.accountId,
      opens: { packageId },
      source: 'subscription',
      sourceId: String(itemId),
      from: period.startsAt,
      to: period.endsAt,
    })),
  )
  await endGraces(tx, period, now)
  return period
}

/** Whether terms are those of another offer that the customer has chosen, and not of a migration. */
function isChange({ changesTo }: Subscription, { revisionId }: PeriodChange): boolean {
  return changesTo === revisionId
}

/** How a subscription has the terms that begin with a period that is paid. */
function beginTerms(
  subscription: Subscription,
  begins: PeriodChange,
): Partial<typeof subscriptions.$inferInsert> {
  const { revisionId } = begins
  const isOther = isChange(subscription, begins)
  // Still later terms may have been announced meanwhile. Those of a plan that was left are nothing to the next one.
  const isOver = isOther || subscription.migratesTo === revisionId
  return {
    plan: planOf(begins),
    offerRevisionId: revisionId,
    isMigrated: !isOther,
    // It was for the plan that is left.
    ...(isOther && { promotion: null }),
    changesTo: null,
    ...(isOver && { migratesTo: null, migratesFrom: null }),
  }
}

/**
 * A charge of a period was declined: it comes again, with access kept, until it has come often enough. Then the subscription is over.
 *
 * @param retryDays days after the first declined charge
 * @param isTold false where no bank was asked
 */
export async function noteDecline(
  tx: Transaction,
  periodId: number,
  { now, retryDays, isTold = true }: { now: number; retryDays: readonly number[]; isTold?: boolean },
): Promise<void> {
  const held = await holdPeriod(tx, periodId)
  if (!isDue(held)) return
  const { subscription, period } = held
  const declinedAt = period.declinedAt ?? now
  const nextAttemptAt = nextRetry(declinedAt, retryDays, now)
  if (nextAttemptAt === undefined) return await endUnpaid(tx, held, now)
  await tx
    .update(subscriptionPeriods)
    .set({ declinedAt, nextAttemptAt })
    .where(eq(subscriptionPeriods.id, periodId))
  await keepAccess(tx, held, nextAttemptAt)
  if (isTold)
    await writeDown(tx, [
      {
        subscriptionId: subscription.id,
        letter: 'paymentDeclined',
        about: nextAttemptAt,
        cents: period.cents,
      },
    ])
}

/** Ends a subscription whose period nobody pays. */
export async function endUnpaid(
  tx: Transaction,
  { subscription, period }: HeldPeriod,
  now: number,
): Promise<void> {
  await tx.update(subscriptionPeriods).set({ state: 'unpaid' }).where(eq(subscriptionPeriods.id, period.id))
  await tx.update(subscriptions).set({ endedAt: now }).where(eq(subscriptions.id, subscription.id))
  await endGraces(tx, period, now)
  await writeDown(tx, [
    { subscriptionId: subscription.id, letter: 'subscriptionEnded', about: now, cents: period.cents },
  ])
}

/** Takes back a period that was opened and is not to be paid. */
export async function voidPeriod(tx: Transaction, period: SubscriptionPeriod, now: number): Promise<void> {
  await tx.update(subscriptionPeriods).set({ state: 'void' }).where(eq(subscriptionPeriods.id, period.id))
  await tx.update(subscriptions).set({ isOpened: false }).where(eq(subscriptions.id, period.subscriptionId))
  await endGraces(tx, period, now)
}

/** Keeps the access of a period that is not paid yet, until its next charge has had its time. */
async function keepAccess(tx: Transaction, held: HeldPeriod, chargedAt: number): Promise<void> {
  const { period } = held
  await addGrants(tx, gracesOf(held, period.graces, chargedAt))
  await tx
    .update(subscriptionPeriods)
    .set({ graces: period.graces + 1 })
    .where(eq(subscriptionPeriods.id, period.id))
}

/**
 * The rights that keep access until a period is paid.
 *
 * @param grace how many graces the period had before
 * @param chargedAt when its card is charged next, in milliseconds since the Unix epoch
 */
export function gracesOf(
  { subscription, period, ...held }: Omit<HeldPeriod, 'begins'> & Pick<Period, 'begins'>,
  grace: number,
  chargedAt: number,
): NewGrant[] {
  return termsOf(held).packageIds.map((packageId) => ({
    accountId: subscription.accountId,
    opens: { packageId },
    source: 'subscription',
    sourceId: graceId(period.id, grace),
    from: period.startsAt,
    to: chargedAt + GRACE_MS,
  }))
}

async function endGraces(tx: Transaction, { id, graces }: SubscriptionPeriod, now: number): Promise<void> {
  for (let grace = 0; grace < graces; grace++)
    await endGrants(tx, { source: 'subscription', sourceId: graceId(id, grace) }, now)
}

/** The source of a right that keeps access until a period is paid. */
function graceId(periodId: number, grace: number): string {
  return `renewal-${periodId}-${grace}`
}

import { eq } from 'drizzle-orm'
import type { Transaction } from '../../database/connection.ts'
import { ServiceError } from '../../http/errors.ts'
import { addGrant, endGrants, GRANT_STATUS } from '../entitlements/grants.service.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import { subscriptionPeriods, subscriptions } from './orders.table.ts'
import { writeDown } from './subscription-letters.ts'
import { DAY_MS, nextRetry, type Subscription, type SubscriptionPeriod } from './subscription-periods.ts'

/** Access is kept for so long after the moment of a charge: the work in the background may be late, and a bank as well. */
const GRACE_MS = DAY_MS

/** A further period of a subscription, with the terms that it is paid by. */
export interface HeldPeriod {
  subscription: Subscription
  period: SubscriptionPeriod
  terms: OfferTerms
}

/** A period and its subscription, which nobody else changes until the transaction ends. */
export async function holdPeriod(tx: Transaction, periodId: number): Promise<HeldPeriod> {
  const [found] = await tx
    .select({ subscriptionId: subscriptionPeriods.subscriptionId })
    .from(subscriptionPeriods)
    .where(eq(subscriptionPeriods.id, periodId))
  // The subscription first, as everywhere.
  const [subscription] = await tx
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, found?.subscriptionId ?? 0))
    .for('update')
  const [period] = await tx
    .select()
    .from(subscriptionPeriods)
    .where(eq(subscriptionPeriods.id, periodId))
    .for('update')
  const [revision] = await tx
    .select({ terms: offerRevisions.terms })
    .from(offerRevisions)
    .where(eq(offerRevisions.id, subscription?.offerRevisionId ?? 0))
  if (!subscription || !period || !revision) throw new Error(`There is no period ${periodId}.`)
  return { subscription, period, terms: revision.terms }
}

/** Whether a period is waiting for its payment. */
export function isDue({ subscription, period }: HeldPeriod): boolean {
  const { statusId, endedAt } = subscription
  return period.state === 'due' && statusId === GRANT_STATUS.active && endedAt === null
}

/**
 * A period is paid: the subscription goes on, with the rights of the period.
 *
 * @throws ServiceError conflict when it was paid before, or was cancelled meanwhile
 */
export async function extend(
  tx: Transaction,
  periodId: number,
  { itemId, methodId, now }: { itemId: number; methodId: number | null; now: number },
): Promise<void> {
  const held = await holdPeriod(tx, periodId)
  if (!isDue(held)) throw new ServiceError('conflict')
  const { subscription, period, terms } = held
  await tx.update(subscriptionPeriods).set({ state: 'paid' }).where(eq(subscriptionPeriods.id, periodId))
  await tx
    .update(subscriptions)
    .set({
      period: period.period,
      periodStart: period.startsAt,
      periodEnd: period.endsAt,
      methodId: methodId ?? subscription.methodId,
    })
    .where(eq(subscriptions.id, subscription.id))
  for (const packageId of terms.packageIds)
    await addGrant(tx, {
      accountId: subscription.accountId,
      opens: { packageId },
      source: 'subscription',
      sourceId: String(itemId),
      from: period.startsAt,
      to: period.endsAt,
    })
  await endGraces(tx, period, now)
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
  await endGraces(tx, period, now)
}

/** Keeps the access of a period that is not paid yet, until its next charge has had its time. */
export async function keepAccess(
  tx: Transaction,
  { subscription, period, terms }: HeldPeriod,
  chargedAt: number,
): Promise<void> {
  for (const packageId of terms.packageIds)
    await addGrant(tx, {
      accountId: subscription.accountId,
      opens: { packageId },
      source: 'subscription',
      sourceId: graceId(period.id, period.graces),
      from: period.startsAt,
      to: chargedAt + GRACE_MS,
    })
  await tx
    .update(subscriptionPeriods)
    .set({ graces: period.graces + 1 })
    .where(eq(subscriptionPeriods.id, period.id))
}

async function endGraces(tx: Transaction, { id, graces }: SubscriptionPeriod, now: number): Promise<void> {
  for (let grace = 0; grace < graces; grace++)
    await endGrants(tx, { source: 'subscription', sourceId: graceId(id, grace) }, now)
}

/** The source of a right that keeps access until a period is paid. */
function graceId(periodId: number, grace: number): string {
  return `renewal-${periodId}-${grace}`
}

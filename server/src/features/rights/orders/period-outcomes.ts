import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { oneOf } from '../../../database/one-of.ts'
import { ServiceError } from '../../../http/errors.ts'
import { addGrants, endGrants, GRANT_STATUS, type NewGrant } from '../entitlements/grants.service.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { allowancesOf } from '../offers/offers.service.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import { payments } from '../payments/payments.table.ts'
import { CHANGED, changedOffers, changedRevisions, changeIn } from './account-subscriptions.ts'
import { planOf } from './holdings.service.ts'
import { orders, subscriptionPeriods, subscriptions } from './orders.table.ts'
import { writeDown } from './subscription-emails.ts'
import {
  countedFrom,
  DAY_MS,
  nextRetry,
  type Period,
  type PeriodChange,
  type Subscription,
  type SubscriptionPeriod,
} from './subscription-periods.ts'

/** How long access continues after a charge is due, in milliseconds. The job or the bank may be late. */
const GRACE_MS = DAY_MS

/** A period of a subscription after the first purchase, with the subscription's terms. */
export interface HeldPeriod {
  subscription: Subscription
  period: SubscriptionPeriod
  terms: OfferTerms
  /** The terms that begin with the period, from a change of plan or a migration. */
  begins: PeriodChange | null
}

/** Locks a period and its subscription until the transaction ends. */
export async function holdPeriod(tx: Transaction, periodId: number): Promise<HeldPeriod> {
  const [held] = await holdPeriods(tx, [periodId])
  if (!held) throw new Error(`There is no period ${periodId}.`)
  return held
}

/** Locks many periods, as {@link holdPeriod} does. */
export async function holdPeriods(tx: Transaction, periodIds: readonly number[]): Promise<HeldPeriod[]> {
  if (periodIds.length === 0) return []
  const found = await tx
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
    .where(oneOf(subscriptionPeriods.id, periodIds))
    .orderBy(subscriptions.id)
    // Locks the subscription first, in the same order as all other code.
    .for('update', { of: [subscriptions, subscriptionPeriods] })
    .prepare('hold_periods')
    .execute()
  return found.map(({ subscription, period, terms, ...changed }) => ({
    subscription,
    period,
    terms,
    begins: changeIn(changed),
  }))
}

/** Returns the terms by which a period is paid. */
export function termsOf({ terms, begins }: Pick<HeldPeriod, 'terms'> & Pick<Period, 'begins'>): OfferTerms {
  return begins?.terms ?? terms
}

/** Returns whether a period waits for its payment. */
export function isDue({ subscription, period }: HeldPeriod): boolean {
  const { statusId, endedAt } = subscription
  return period.state === 'due' && statusId === GRANT_STATUS.active && endedAt === null
}

/** A period whose order is paid, with the order's item. */
export interface PaidPeriod {
  periodId: number
  orderId: number
  itemId: number
}

/**
 * Extends subscriptions by paid periods, and gives the rights of the periods.
 *
 * @returns the periods, by order id
 * @throws ServiceError conflict if a period was paid before, or was cancelled meanwhile
 */
export async function extend(
  tx: Transaction,
  paid: readonly PaidPeriod[],
  now: number,
): Promise<Map<number, SubscriptionPeriod>> {
  if (paid.length === 0) return new Map()
  const periodIds = paid.map(({ periodId }) => periodId)
  const held = new Map((await holdPeriods(tx, periodIds)).map((each) => [each.period.id, each]))
  const extended = paid.map((each) => {
    const period = held.get(each.periodId)
    if (!period || !isDue(period)) throw new ServiceError('conflict')
    return { ...each, held: period }
  })
  await tx.update(subscriptionPeriods).set({ state: 'paid' }).where(oneOf(subscriptionPeriods.id, periodIds))
  await beginPeriods(
    tx,
    paid.map(({ orderId }) => orderId),
  )
  for (const { held: each } of extended) await beginTerms(tx, each)
  await addGrants(
    tx,
    extended.flatMap(({ itemId, held: { subscription, period, ...terms } }) => {
      const given = termsOf(terms)
      return given.packageIds.map((packageId) => ({
        accountId: subscription.accountId,
        opens: { packageId },
        source: 'subscription' as const,
        sourceId: String(itemId),
        from: period.startsAt,
        to: period.endsAt,
        ...allowancesOf(given),
      }))
    }),
  )
  await endGraces(
    tx,
    extended.map((each) => each.held),
    now,
  )
  return new Map(extended.map(({ orderId, held: { period } }) => [orderId, period]))
}

/**
 * Sets the current period of each subscription to the period that an order has paid. The card that paid is also charged
 * for the next period.
 */
async function beginPeriods(tx: Transaction, orderIds: readonly number[]): Promise<void> {
  const { period, startsAt, endsAt } = subscriptionPeriods
  await tx
    .update(subscriptions)
    .set({
      period: sql`${period}`,
      periodStart: sql`${startsAt}`,
      periodEnd: sql`${endsAt}`,
      isOpened: false,
      methodId: sql`coalesce(${payments.methodId}, ${subscriptions.methodId})`,
    })
    .from(subscriptionPeriods)
    .innerJoin(orders, eq(orders.periodId, subscriptionPeriods.id))
    .leftJoin(payments, eq(orders.paymentId, payments.id))
    .where(and(eq(subscriptionPeriods.subscriptionId, subscriptions.id), oneOf(orders.id, orderIds)))
}

/** Returns whether terms come from a change of plan by the customer, and not from a migration. */
function isChange({ changesTo }: Subscription, { revisionId }: PeriodChange): boolean {
  return changesTo === revisionId
}

/** Gives a subscription the terms that begin with its paid period. */
async function beginTerms(tx: Transaction, { subscription, begins }: HeldPeriod): Promise<void> {
  if (begins === null) return
  const { revisionId } = begins
  const isOther = isChange(subscription, begins)
  // A later migration that was announced meanwhile is kept. A change of plan cancels the migrations of the
  // old plan.
  const isOver = isOther || subscription.migratesTo === revisionId
  await tx
    .update(subscriptions)
    .set({
      ...countedFrom(subscription, isOther),
      plan: planOf(begins),
      offerRevisionId: revisionId,
      isMigrated: !isOther,
      // A promotion ends when the subscription changes to another plan.
      ...(isOther && { promotion: null }),
      changesTo: null,
      ...(isOver && { migratesTo: null, migratesFrom: null }),
    })
    .where(eq(subscriptions.id, subscription.id))
}

/**
 * Handles a declined charge of a period. Access continues, and the card is charged again on the retry days.
 * After the last retry, the subscription ends.
 *
 * @param retryDays days after the first declined charge
 * @param isTold whether the customer gets an e-mail. False if no bank was asked
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

/** Ends a subscription whose period was not paid. */
export async function endUnpaid(tx: Transaction, held: HeldPeriod, now: number): Promise<void> {
  const { subscription, period } = held
  await tx.update(subscriptionPeriods).set({ state: 'unpaid' }).where(eq(subscriptionPeriods.id, period.id))
  await tx.update(subscriptions).set({ endedAt: now }).where(eq(subscriptions.id, subscription.id))
  await endGraces(tx, [held], now)
  await writeDown(tx, [
    { subscriptionId: subscription.id, letter: 'subscriptionEnded', about: now, cents: period.cents },
  ])
}

/** Voids a period that was opened and will not be paid. */
export async function voidPeriod(tx: Transaction, period: SubscriptionPeriod, now: number): Promise<void> {
  await tx.update(subscriptionPeriods).set({ state: 'void' }).where(eq(subscriptionPeriods.id, period.id))
  const held = await tx
    .update(subscriptions)
    .set({ isOpened: false })
    .where(eq(subscriptions.id, period.subscriptionId))
    .returning({ accountId: subscriptions.accountId })
  await endGraces(
    tx,
    held.map((subscription) => ({ subscription, period })),
    now,
  )
}

/** Gives the rights that keep access to an unpaid period until its next charge is done. */
async function keepAccess(tx: Transaction, held: HeldPeriod, chargedAt: number): Promise<void> {
  const { period } = held
  await addGrants(tx, gracesOf(held, period.graces, chargedAt))
  await tx
    .update(subscriptionPeriods)
    .set({ graces: period.graces + 1 })
    .where(eq(subscriptionPeriods.id, period.id))
}

/**
 * Returns the rights that keep access until a period is paid.
 *
 * @param grace number of such rights that the period had before
 * @param chargedAt when its card is charged next, in milliseconds since the Unix epoch
 */
export function gracesOf(
  { subscription, period, ...held }: Omit<HeldPeriod, 'begins'> & Pick<Period, 'begins'>,
  grace: number,
  chargedAt: number,
): NewGrant[] {
  const terms = termsOf(held)
  return terms.packageIds.map((packageId) => ({
    accountId: subscription.accountId,
    opens: { packageId },
    source: 'subscription',
    sourceId: graceId(period.id, grace),
    from: period.startsAt,
    to: chargedAt + GRACE_MS,
    ...allowancesOf(terms),
  }))
}

async function endGraces(
  tx: Transaction,
  periods: readonly { subscription: Pick<Subscription, 'accountId'>; period: SubscriptionPeriod }[],
  now: number,
): Promise<void> {
  const sourceIds = periods.flatMap(({ period: { id, graces } }) =>
    Array.from({ length: graces }, (_, grace) => graceId(id, grace)),
  )
  const accountIds = periods.map(({ subscription }) => subscription.accountId)
  await endGrants(tx, { source: 'subscription', sourceIds, accountIds }, now)
}

/** Returns the source id of a right that keeps access until a period is paid. */
function graceId(periodId: number, grace: number): string {
  return `renewal-${periodId}-${grace}`
}

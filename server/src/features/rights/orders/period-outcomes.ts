import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { oneOf } from '../../../database/one-of.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { SubscriptionEmail } from '../../people/mail/emails.ts'
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

/** How long access continues after the next scheduled charge, in milliseconds. The job or the bank may be late. */
const GRACE_MS = DAY_MS

/**
 * A period of a subscription after the first purchase, with the subscription and its current terms. Both rows are
 * locked.
 */
export interface HeldPeriod {
  subscription: Subscription
  period: SubscriptionPeriod
  terms: OfferTerms
  /** The terms that begin with the period, after a change of plan or a migration; null for no change. */
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
    // Lock the subscription before the period, in the same order as all other code.
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

/** Returns the terms that apply to a period. */
export function termsOf({ terms, begins }: Pick<HeldPeriod, 'terms'> & Pick<Period, 'begins'>): OfferTerms {
  return begins?.terms ?? terms
}

/** Returns whether a period still waits for payment. */
export function isDue({ subscription, period }: HeldPeriod): boolean {
  const { statusId, endedAt } = subscription
  return period.state === 'due' && statusId === GRANT_STATUS.active && endedAt === null
}

/** A period with the paid order and its item. */
export interface PaidPeriod {
  periodId: number
  orderId: number
  itemId: number
}

/**
 * Extends subscriptions by paid periods, and gives the rights of these periods.
 *
 * @returns the periods, by order id
 * @throws ServiceError conflict if a period was already paid, or was cancelled in the meantime
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
 * Makes the paid period the current period of its subscription. The card that paid will be charged for the next
 * period.
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
      isCardOfChange: false,
      methodId: sql`coalesce(${payments.methodId}, ${subscriptions.methodId})`,
    })
    .from(subscriptionPeriods)
    .innerJoin(orders, eq(orders.periodId, subscriptionPeriods.id))
    .leftJoin(payments, eq(orders.paymentId, payments.id))
    .where(and(eq(subscriptionPeriods.subscriptionId, subscriptions.id), oneOf(orders.id, orderIds)))
}

/** Returns whether terms come from a change of plan, and not from a migration. */
function isChange({ changesTo }: Subscription, { revisionId }: PeriodChange): boolean {
  return changesTo === revisionId
}

/** Applies the terms that begin with the paid period to its subscription. */
async function beginTerms(tx: Transaction, { subscription, begins }: HeldPeriod): Promise<void> {
  if (begins === null) return
  const { revisionId } = begins
  const isOther = isChange(subscription, begins)
  // A change of plan cancels the migration of the old plan. A migration ends when its revision applies. A later
  // migration, announced in the meantime, is kept.
  const isOver = isOther || subscription.migratesTo === revisionId
  await tx
    .update(subscriptions)
    .set({
      ...countedFrom(subscription, isOther),
      plan: planOf(begins),
      offerRevisionId: revisionId,
      isMigrated: !isOther,
      // A change to another plan ends the promotion.
      ...(isOther && { promotion: null }),
      changesTo: null,
      ...(isOver && { migratesTo: null, migratesFrom: null }),
    })
    .where(eq(subscriptions.id, subscription.id))
}

/**
 * Handles a declined charge of a period. Access continues, and the card is charged again on the next retry day.
 * After the last retry day, the subscription ends.
 *
 * @param retryDays days after the first declined charge
 * @param email the e-mail to the customer; null if no charge was tried
 */
export async function noteDecline(
  tx: Transaction,
  periodId: number,
  {
    now,
    retryDays,
    email,
  }: {
    now: number
    retryDays: readonly number[]
    email: Extract<SubscriptionEmail, 'paymentDeclined' | 'paymentUnconfirmed' | 'paymentWithoutCard'> | null
  },
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
  if (email !== null)
    await writeDown(tx, [
      {
        subscriptionId: subscription.id,
        letter: email,
        about: nextAttemptAt,
        cents: period.cents,
      },
    ])
}

/**
 * Ends a subscription because its period was not paid.
 *
 * @param email the e-mail to the customer: `subscriptionOver` if there was no card to charge
 */
export async function endUnpaid(
  tx: Transaction,
  held: HeldPeriod,
  now: number,
  email: Extract<SubscriptionEmail, 'subscriptionEnded' | 'subscriptionOver'> = 'subscriptionEnded',
): Promise<void> {
  const { subscription, period } = held
  await tx.update(subscriptionPeriods).set({ state: 'unpaid' }).where(eq(subscriptionPeriods.id, period.id))
  await tx.update(subscriptions).set({ endedAt: now }).where(eq(subscriptions.id, subscription.id))
  await endGraces(tx, [held], now)
  await writeDown(tx, [{ subscriptionId: subscription.id, letter: email, about: now, cents: period.cents }])
}

/** Voids an open period that will not be paid. */
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

/** Gives temporary rights that continue access to an unpaid period until after its next charge. */
async function keepAccess(tx: Transaction, held: HeldPeriod, chargedAt: number): Promise<void> {
  const { period } = held
  await addGrants(tx, gracesOf(held, period.graces, chargedAt))
  await tx
    .update(subscriptionPeriods)
    .set({ graces: period.graces + 1 })
    .where(eq(subscriptionPeriods.id, period.id))
}

/**
 * Returns temporary rights that continue access until a period is paid.
 *
 * @param grace number of times that the period got such rights before
 * @param chargedAt time of the next charge, in milliseconds since the Unix epoch
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

/** Returns the source id of a temporary right. `grace` makes it unique within the period. */
function graceId(periodId: number, grace: number): string {
  return `renewal-${periodId}-${grace}`
}

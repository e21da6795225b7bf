import { and, asc, eq, inArray, isNull, lte, not, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { addGrants, GRANT_STATUS } from '../entitlements/grants.service.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import {
  COMING,
  changedOffers,
  changedRevisions,
  comingIn,
  endsWithPlan,
  migratedRevisions,
} from './account-subscriptions.ts'
import { subscriptionPeriods, subscriptions } from './orders.table.ts'
import { gracesOf } from './period-outcomes.ts'
import {
  type ComingTerms,
  nextPeriod,
  type Subscription,
  type SubscriptionPeriod,
} from './subscription-periods.ts'

/**
 * How long before its start a period is opened, in milliseconds. Opening a period gives rights beyond its start,
 * so that access continues while the payment is in progress.
 */
const AHEAD_MS = 3_600_000

/** Maximum number of subscriptions in one transaction, which locks their accounts. */
const SLICE = 50

/**
 * Opens the next period of each subscription that is about to renew: adds a row of `subscription_periods`, which
 * is charged when the period begins. Ends cancelled subscriptions whose paid period is over. Concurrent processes
 * skip each other's locked rows.
 *
 * @param now milliseconds since the Unix epoch
 * @returns the number of opened periods
 */
export async function openPeriods(db: Database, now: number, signal?: AbortSignal): Promise<number> {
  const pace = new Pace(SLICE, 20)
  let opened = 0
  for (let seen = 1; seen > 0; ) {
    signal?.throwIfAborted()
    seen = await pace.slice(async (rows) => {
      const slice = await db.transaction(async (tx) => await openSlice(tx, now, rows))
      opened += slice.opened
      return slice.seen
    })
  }
  for (let ended = 1; ended > 0; ) {
    signal?.throwIfAborted()
    ended = await pace.slice(async (rows) => await endCancelled(db, now, rows))
  }
  return opened
}

async function openSlice(
  tx: Transaction,
  now: number,
  rows: number,
): Promise<{ seen: number; opened: number }> {
  const held = await tx
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .innerJoin(accounts, eq(subscriptions.accountId, accounts.id))
    .where(
      and(
        isNull(subscriptions.endedAt),
        not(subscriptions.isOpened),
        eq(subscriptions.statusId, GRANT_STATUS.active),
        lte(subscriptions.periodEnd, now + AHEAD_MS),
      ),
    )
    .orderBy(asc(subscriptions.periodEnd), asc(subscriptions.id))
    .limit(rows)
    // Lock the account too: the rows that are inserted later reference the account, and the execution of an order
    // locks the account before the subscription.
    .for('update', { of: [accounts, subscriptions], skipLocked: true })
  const renewing = await tx
    .select({
      subscription: subscriptions,
      terms: offerRevisions.terms,
      ...COMING,
    })
    .from(subscriptions)
    .innerJoin(offerRevisions, eq(subscriptions.offerRevisionId, offerRevisions.id))
    .leftJoin(changedRevisions, eq(subscriptions.changesTo, changedRevisions.id))
    .leftJoin(changedOffers, eq(changedRevisions.offerId, changedOffers.id))
    .leftJoin(migratedRevisions, eq(subscriptions.migratesTo, migratedRevisions.id))
    // Read the terms only now, under the locks, so that every committed change is included.
    .where(
      inArray(
        subscriptions.id,
        held.map(({ id }) => id),
      ),
    )
    .orderBy(asc(subscriptions.periodEnd), asc(subscriptions.id))
  const ending: number[] = []
  const going: Renewing[] = []
  for (const { subscription, terms, ...coming } of renewing) {
    if (await endsWithPlan(tx, subscription, terms, now)) ending.push(subscription.id)
    else going.push({ subscription, terms, ...comingIn(coming) })
  }
  if (ending.length > 0)
    await tx
      .update(subscriptions)
      .set({ statusId: GRANT_STATUS.cancelled })
      .where(inArray(subscriptions.id, ending))
  if (going.length > 0) await open(tx, going, now)
  return { seen: renewing.length, opened: going.length }
}

/** A subscription that is about to renew. */
interface Renewing extends ComingTerms {
  subscription: Subscription
  terms: OfferTerms
}

/** Opens the next period of each subscription. Gives rights that continue access until the period is charged. */
async function open(tx: Transaction, going: readonly Renewing[], now: number): Promise<void> {
  const next = going.map(({ subscription, terms, ...coming }) => ({
    subscription,
    terms,
    next: nextPeriod(subscription, terms, now, coming),
  }))
  const { graces } = subscriptionPeriods
  const periods = await tx
    .insert(subscriptionPeriods)
    .values(
      next.map(({ subscription, next: { begins, ...period } }) => {
        return {
          subscriptionId: subscription.id,
          ...period,
          changesTo: begins?.revisionId ?? null,
          nextAttemptAt: period.startsAt,
          graces: isKept(subscription, period) ? 1 : 0,
        }
      }),
    )
    // The period may exist already, voided by a cancellation or a change of plan. Reopen it.
    .onConflictDoUpdate({
      target: [subscriptionPeriods.subscriptionId, subscriptionPeriods.period],
      set: {
        state: 'due',
        startsAt: sql`excluded.starts_at`,
        endsAt: sql`excluded.ends_at`,
        changesTo: sql`excluded.changes_to`,
        cents: sql`excluded.cents`,
        nextAttemptAt: sql`excluded.next_attempt_at`,
        declinedAt: null,
        graces: sql`${graces} + excluded.graces`,
      },
      setWhere: eq(subscriptionPeriods.state, 'void'),
    })
    .returning()
  const bySubscription = new Map(periods.map((period) => [period.subscriptionId, period]))
  await addGrants(
    tx,
    next.flatMap(({ subscription, terms, next: { begins } }) => {
      const period = bySubscription.get(subscription.id)
      if (!period) throw new Error(`The next period of subscription ${subscription.id} exists already.`)
      return isKept(subscription, period)
        ? gracesOf({ subscription, period, terms, begins }, period.graces - 1, period.startsAt)
        : []
    }),
  )
  await tx
    .update(subscriptions)
    .set({ isOpened: true })
    .where(inArray(subscriptions.id, [...bySubscription.keys()]))
}

/**
 * Returns whether access continues until a period is charged. Without a card, the period cannot be charged, and access
 * ends with the paid period.
 */
function isKept({ methodId }: Subscription, { cents }: Pick<SubscriptionPeriod, 'cents'>): boolean {
  return cents === 0 || methodId !== null
}

/** Ends cancelled subscriptions whose paid period is over. @returns the number of ended subscriptions */
async function endCancelled(db: Database, now: number, rows: number): Promise<number> {
  const over = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        isNull(subscriptions.endedAt),
        not(subscriptions.isOpened),
        eq(subscriptions.statusId, GRANT_STATUS.cancelled),
        lte(subscriptions.periodEnd, now),
      ),
    )
    .orderBy(asc(subscriptions.id))
    .limit(rows)
    .for('update', { skipLocked: true })
  const ended = await db
    .update(subscriptions)
    .set({ endedAt: sql`${subscriptions.periodEnd}` })
    .where(inArray(subscriptions.id, over))
    .returning({ id: subscriptions.id })
  return ended.length
}

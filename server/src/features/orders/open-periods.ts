import { and, asc, eq, inArray, isNull, lte, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database, Transaction } from '../../database/connection.ts'
import { Pace } from '../../database/pace.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { GRANT_STATUS } from '../entitlements/grants.service.ts'
import { offerRevisions, offers } from '../offers/offers.table.ts'
import { paymentMethods } from '../payments/payments.table.ts'
import { subscriptionPeriods, subscriptions } from './orders.table.ts'
import { keepAccess } from './period-outcomes.ts'
import { nextPeriod, type Subscription } from './subscription-periods.ts'

/** A period is opened so long before it begins, so that access goes on while its payment is under way. */
const AHEAD_MS = 3_600_000

/** Most subscriptions that are looked at in one transaction. */
const SLICE = 200

/**
 * Opens the next period of each subscription that is about to renew: a row that is charged when it begins, once. A subscription that
 * was cancelled is over at its end. Another process leaves out what this one looks at.
 *
 * @param now milliseconds since the Unix epoch
 * @returns how many periods were opened
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
  const renewing = await tx
    .select({ subscription: subscriptions, terms: offerRevisions.terms })
    .from(subscriptions)
    .innerJoin(accounts, eq(subscriptions.accountId, accounts.id))
    .innerJoin(offerRevisions, eq(subscriptions.offerRevisionId, offerRevisions.id))
    .where(
      and(
        isNull(subscriptions.endedAt),
        eq(subscriptions.statusId, GRANT_STATUS.active),
        lte(subscriptions.periodEnd, now + AHEAD_MS),
        // Paid and unpaid periods are of the past: the subscription has moved on, or is over.
        notExists(
          tx
            .select({ one: sql`1` })
            .from(subscriptionPeriods)
            .where(
              and(
                eq(subscriptionPeriods.subscriptionId, subscriptions.id),
                eq(subscriptionPeriods.state, 'due'),
              ),
            ),
        ),
      ),
    )
    .orderBy(asc(subscriptions.periodEnd), asc(subscriptions.id))
    .limit(rows)
    // With the account, because the rows below name it: whatever executes an order holds the account before the subscription.
    .for('update', { of: [accounts, subscriptions], skipLocked: true })
  let opened = 0
  for (const { subscription, terms } of renewing) {
    if (await endsWithPlan(tx, subscription, terms.requires, now)) {
      await tx
        .update(subscriptions)
        .set({ statusId: GRANT_STATUS.cancelled })
        .where(eq(subscriptions.id, subscription.id))
      continue
    }
    const next = nextPeriod(subscription, terms, now)
    const due = { state: 'due' as const, nextAttemptAt: next.startsAt, declinedAt: null }
    const [period] = await tx
      .insert(subscriptionPeriods)
      .values({ subscriptionId: subscription.id, ...next, ...due })
      // It was opened, cancelled, and resumed.
      .onConflictDoUpdate({
        target: [subscriptionPeriods.subscriptionId, subscriptionPeriods.period],
        set: due,
        setWhere: eq(subscriptionPeriods.state, 'void'),
      })
      .returning()
    if (!period) throw new Error(`Period ${next.period} of subscription ${subscription.id} is there.`)
    if (await canPay(tx, subscription, next.cents))
      await keepAccess(tx, { subscription, period, terms }, next.startsAt)
    opened++
  }
  return { seen: renewing.length, opened }
}

/** Whether there is something to charge. Access is not kept for a payment that cannot come. */
async function canPay(
  tx: Transaction,
  { accountId, methodId }: Subscription,
  cents: number,
): Promise<boolean> {
  if (cents === 0 || methodId !== null) return true
  const saved = await tx
    .select({ id: paymentMethods.id })
    .from(paymentMethods)
    .where(eq(paymentMethods.accountId, accountId))
    .limit(1)
  return saved.length > 0
}

/**
 * Whether an option is over because none of the subscriptions that it needs goes on after it.
 *
 * @param requires keys of offers of which one is needed; none for what stands alone
 */
async function endsWithPlan(
  tx: Transaction,
  { accountId, periodEnd }: Subscription,
  requires: readonly string[],
  now: number,
): Promise<boolean> {
  if (requires.length === 0) return false
  const plan = alias(subscriptions, 'plan')
  const [kept] = await tx
    .select({ id: plan.id })
    .from(plan)
    .innerJoin(offerRevisions, eq(plan.offerRevisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .where(
      and(
        eq(plan.accountId, accountId),
        inArray(offers.key, [...requires]),
        isNull(plan.endedAt),
        or(
          eq(plan.statusId, GRANT_STATUS.active),
          sql`${plan.periodEnd} > greatest(${new Date(periodEnd).toISOString()}::timestamptz, ${new Date(now).toISOString()}::timestamptz)`,
        ),
      ),
    )
    .limit(1)
  return kept === undefined
}

/** Ends subscriptions that were cancelled and have run out. @returns how many */
async function endCancelled(db: Database, now: number, rows: number): Promise<number> {
  const over = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        isNull(subscriptions.endedAt),
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

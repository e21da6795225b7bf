import { and, eq, gt, isNotNull, isNull, lte, notExists, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { GRANT_STATUS } from '../entitlements/grants.service.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import { paymentMethods } from '../payments/payments.table.ts'
import {
  COMING,
  changedOffers,
  changedRevisions,
  comingIn,
  endsWithPlan,
  migratedRevisions,
} from './account-subscriptions.ts'
import { subscriptionEmails, subscriptions } from './orders.table.ts'
import { writeDown } from './subscription-emails.ts'
import { DAY_MS, nextPeriod } from './subscription-periods.ts'

/**
 * How long before the renewal of a long period the reminder is sent, in milliseconds. The law requires a reminder
 * between three months and one month before the renewal (Code de la consommation, L215-1).
 */
const RENEWAL_AHEAD_MS = 45 * DAY_MS
/**
 * How long before the expiry of a card the reminder is sent, in milliseconds. Banks replace a card about a month
 * before it expires.
 */
const CARD_AHEAD_MS = 30 * DAY_MS

/** Maximum number of subscriptions in one transaction. */
const SLICE = 200

/**
 * Stores reminder e-mails for plans of a year or more that are about to renew, and for cards that are about to
 * expire.
 *
 * @param now milliseconds since the Unix epoch
 * @returns the number of stored e-mails
 */
export async function remind(db: Database, now: number, signal?: AbortSignal): Promise<number> {
  const pace = new Pace(SLICE, 20)
  let count = 0
  for (const slice of [remindOfRenewals, remindOfCards]) {
    for (let after: number | undefined = 0; after !== undefined; ) {
      signal?.throwIfAborted()
      const from: number = after
      const reminded = await pace.slice(async (rows) => await slice(db, { now, after: from, rows }))
      count += reminded.written
      after = reminded.last
    }
  }
  return count
}

/** Subscriptions to remind of: the first `rows` whose id is greater than `after`. */
interface Wanted {
  /** Milliseconds since the Unix epoch. */
  now: number
  after: number
  rows: number
}

/** Result of a slice. */
interface Reminded {
  /** Number of stored e-mails. */
  written: number
  /** Id of the last subscription that was read; undefined if there are no more. */
  last: number | undefined
}

const RENEWS = and(isNull(subscriptions.endedAt), eq(subscriptions.statusId, GRANT_STATUS.active))

/** Returns the SQL condition that no e-mail of this kind about this event is stored for the subscription. */
function isUntold(
  db: Database,
  letter: 'renewalAhead' | 'cardExpires',
  about: typeof subscriptions.periodEnd | typeof paymentMethods.expiresAt,
) {
  return notExists(
    db
      .select({ one: sql`1` })
      .from(subscriptionEmails)
      .where(
        and(
          eq(subscriptionEmails.subscriptionId, subscriptions.id),
          eq(subscriptionEmails.letter, letter),
          eq(subscriptionEmails.about, about),
        ),
      ),
  )
}

async function remindOfRenewals(db: Database, { now, after, rows }: Wanted): Promise<Reminded> {
  const unit = sql`${offerRevisions.terms} -> 'recurrence' ->> 'unit'`
  const length = sql`(${offerRevisions.terms} -> 'recurrence' ->> 'period')::integer`
  return await db.transaction(async (tx) => {
    const due = await tx
      .select({ subscription: subscriptions, terms: offerRevisions.terms, ...COMING })
      .from(subscriptions)
      .innerJoin(offerRevisions, eq(subscriptions.offerRevisionId, offerRevisions.id))
      .leftJoin(changedRevisions, eq(subscriptions.changesTo, changedRevisions.id))
      .leftJoin(changedOffers, eq(changedRevisions.offerId, changedOffers.id))
      .leftJoin(migratedRevisions, eq(subscriptions.migratesTo, migratedRevisions.id))
      .where(
        and(
          RENEWS,
          gt(subscriptions.id, after),
          gt(subscriptions.periodEnd, now),
          lte(subscriptions.periodEnd, now + RENEWAL_AHEAD_MS),
          // Exclude trials (period 0), which are much shorter than a year.
          gt(subscriptions.period, 0),
          // Without a card, the subscription ends instead.
          isNotNull(subscriptions.methodId),
          sql`(${unit} = 'year' or (${unit} = 'month' and ${length} >= 12))`,
          isUntold(db, 'renewalAhead', subscriptions.periodEnd),
        ),
      )
      .orderBy(subscriptions.id)
      .limit(rows)
    const renewing: typeof due = []
    for (const each of due)
      if (!(await endsWithPlan(tx, each.subscription, each.terms, now))) renewing.push(each)
    await writeDown(
      tx,
      renewing.map(({ subscription, terms, ...coming }) => ({
        subscriptionId: subscription.id,
        letter: 'renewalAhead',
        about: subscription.periodEnd,
        cents: nextPeriod(subscription, terms, now, comingIn(coming)).cents,
      })),
    )
    return { written: renewing.length, last: due.at(-1)?.subscription.id }
  })
}

async function remindOfCards(db: Database, { now, after, rows }: Wanted): Promise<Reminded> {
  return await db.transaction(async (tx) => {
    const due = await tx
      .select({
        subscription: subscriptions,
        terms: offerRevisions.terms,
        ...COMING,
        // Never null, because the condition below excludes cards without an expiry date.
        expiresAt: sql<number>`${paymentMethods.expiresAt}`.mapWith(paymentMethods.expiresAt),
      })
      .from(subscriptions)
      .innerJoin(offerRevisions, eq(subscriptions.offerRevisionId, offerRevisions.id))
      .leftJoin(changedRevisions, eq(subscriptions.changesTo, changedRevisions.id))
      .leftJoin(changedOffers, eq(changedRevisions.offerId, changedOffers.id))
      .leftJoin(migratedRevisions, eq(subscriptions.migratesTo, migratedRevisions.id))
      .innerJoin(paymentMethods, eq(subscriptions.methodId, paymentMethods.id))
      .where(
        and(
          RENEWS,
          gt(subscriptions.id, after),
          isNull(paymentMethods.removedAt),
          gt(paymentMethods.expiresAt, now),
          lte(paymentMethods.expiresAt, now + CARD_AHEAD_MS),
          isUntold(db, 'cardExpires', paymentMethods.expiresAt),
        ),
      )
      .orderBy(subscriptions.id)
      .limit(rows)
    await writeDown(
      tx,
      due.map(({ subscription, terms, expiresAt, ...coming }) => ({
        subscriptionId: subscription.id,
        letter: 'cardExpires',
        about: expiresAt,
        cents: nextPeriod(subscription, terms, now, comingIn(coming)).cents,
      })),
    )
    return { written: due.length, last: due.at(-1)?.subscription.id }
  })
}

import { and, eq, gt, isNull, lte, notExists, sql } from 'drizzle-orm'
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
    for (let written = 1; written > 0; ) {
      signal?.throwIfAborted()
      written = await pace.slice(async (rows) => await slice(db, now, rows))
      count += written
    }
  }
  return count
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

async function remindOfRenewals(db: Database, now: number, rows: number): Promise<number> {
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
          gt(subscriptions.periodEnd, now),
          lte(subscriptions.periodEnd, now + RENEWAL_AHEAD_MS),
          // Exclude trials (period 0), which are much shorter than a year.
          gt(subscriptions.period, 0),
          sql`(${unit} = 'year' or (${unit} = 'month' and ${length} >= 12))`,
          isUntold(db, 'renewalAhead', subscriptions.periodEnd),
        ),
      )
      .limit(rows)
    await writeDown(
      tx,
      due.map(({ subscription, terms, ...coming }) => ({
        subscriptionId: subscription.id,
        letter: 'renewalAhead',
        about: subscription.periodEnd,
        cents: nextPeriod(subscription, terms, now, comingIn(coming)).cents,
      })),
    )
    return due.length
  })
}

async function remindOfCards(db: Database, now: number, rows: number): Promise<number> {
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
          gt(paymentMethods.expiresAt, now),
          lte(paymentMethods.expiresAt, now + CARD_AHEAD_MS),
          isUntold(db, 'cardExpires', paymentMethods.expiresAt),
        ),
      )
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
    return due.length
  })
}

import { isDeepStrictEqual } from 'node:util'
import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { invalidFields } from '../../../http/errors.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { GRANT_STATUS } from '../entitlements/grants.service.ts'
import type { CurrentOffer } from '../offers/offer-book.service.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { revisionsOf } from '../offers/offers.service.ts'
import { hasCardFor } from './account-subscriptions.ts'
import { planOf } from './holdings.service.ts'
import { type subscriptionEmails, subscriptions } from './orders.table.ts'
import { writeDown } from './subscription-emails.ts'
import { DAY_MS, migrationStart, type Subscription } from './subscription-periods.ts'

/**
 * Minimum number of days between the announcement e-mail and the first day of new terms. Subscribers must be
 * informed in reasonable time, and have 30 days to leave (Directive (EU) 2019/770, article 19).
 */
const NOTICE_DAYS = 30
/** Maximum number of days from now until the first day of new terms. A later day is rejected as a typing error. */
const MOST_DAYS = 2 * 366

/** Maximum number of subscriptions in one transaction, which locks their accounts. */
const SLICE = 100

/** An operator's request to migrate the subscriptions of an offer to its current revision. */
export interface MigrationAsk {
  offer: CurrentOffer
  /** First day of the new terms, such as 2026-01-31. By default the day after the notice period. */
  from: string | undefined
  /** Whether only to count the subscriptions, without changes. */
  isDry: boolean
  /** Milliseconds since the Unix epoch. */
  now: number
}

/** Number of subscriptions with older revisions, by outcome. */
export interface Migrated extends Record<Outcome['outcome'], number> {
  /** The revision to which the subscriptions migrate. */
  revision: number
  /** First day of the new terms, in milliseconds since the Unix epoch. */
  from: number
  /** Number of migrated subscriptions whose subscribers get an e-mail. */
  told: number
}

/**
 * Migrates the running subscriptions of an offer from older revisions to its current revision. The new terms apply
 * from the first period that begins on or after the given day. Subscribers get an e-mail if their price changes or
 * they lose content. Repeated calls skip subscriptions whose migration is already scheduled, and send no second
 * e-mail.
 *
 * @throws ServiceError invalidInput for an offer that is not a subscription, or for a day that is too early or too
 * late
 */
export async function migrateOffer(
  db: Database,
  { offer, from: day, isDry, now }: MigrationAsk,
  signal?: AbortSignal,
): Promise<Migrated> {
  if (offer.type !== 'subscription')
    throw invalidFields([{ field: 'key', message: 'must be the key of a subscription' }])
  const from = startOfMigration(day, now)
  const terms = new Map((await revisionsOf(db, offer.id)).map((each) => [each.id, each.terms]))
  terms.delete(offer.revisionId)
  const counts = { migrated: 0, told: 0, waiting: 0, cancelled: 0, changing: 0, different: 0 }
  const pace = new Pace(SLICE, 20)
  let last = 0
  for (let seen = 1; seen > 0 && terms.size > 0; ) {
    signal?.throwIfAborted()
    seen = await pace.slice(async (rows) => {
      // Renewals lock several accounts in a different sequence, so a deadlock is possible.
      const slice = await retryOnDeadlock(
        async () =>
          await db.transaction(async (tx) => {
            const found = await olderSubscriptions(tx, [...terms.keys()], last, rows)
            const outcomes = found.map((each) => outcomeOf(each, terms, offer, from))
            if (!isDry) await write(tx, outcomes, offer, from)
            return outcomes
          }),
      )
      for (const { outcome, letter } of slice) {
        counts[outcome]++
        if (letter) counts.told++
      }
      last = slice.at(-1)?.subscription.id ?? last
      return slice.length
    })
  }
  return { revision: offer.revision, from, ...counts }
}

/** Returns the first day of a migration. @throws ServiceError invalidInput for a day that is too early or too late */
function startOfMigration(day: string | undefined, now: number): number {
  const earliest = now + NOTICE_DAYS * DAY_MS
  if (day === undefined) return Math.ceil(earliest / DAY_MS) * DAY_MS
  const wanted = Date.parse(day)
  const message =
    wanted < earliest
      ? `must be ${NOTICE_DAYS} days away or more, so that subscribers can leave before it`
      : `must be at most ${MOST_DAYS} days away`
  if (wanted < earliest || wanted > now + MOST_DAYS * DAY_MS)
    throw invalidFields([{ field: 'from', message }])
  return wanted
}

/**
 * Returns the next running subscriptions with these revisions, by ascending id. Locks them until the transaction
 * ends.
 *
 * @param after id of the last subscription of the previous call
 * @param rows maximum number of subscriptions
 */
async function olderSubscriptions(
  tx: Transaction,
  revisionIds: readonly number[],
  after: number,
  rows: number,
): Promise<Subscription[]> {
  const found = await tx
    .select({ subscription: subscriptions })
    .from(subscriptions)
    .innerJoin(accounts, eq(subscriptions.accountId, accounts.id))
    .where(
      and(
        gt(subscriptions.id, after),
        inArray(subscriptions.offerRevisionId, [...revisionIds]),
        isNull(subscriptions.endedAt),
      ),
    )
    .orderBy(asc(subscriptions.id))
    .limit(rows)
    // Lock the account too, as all code that locks a subscription does.
    .for('update', { of: [accounts, subscriptions] })
  return found.map(({ subscription }) => subscription)
}

/** Outcome of a migration for one subscription. Only `migrated` changes the subscription. */
interface Outcome {
  subscription: Subscription
  outcome: 'migrated' | 'waiting' | 'cancelled' | 'changing' | 'different'
  letter?: typeof subscriptionEmails.$inferInsert
}

function outcomeOf(
  subscription: Subscription,
  revisions: ReadonlyMap<number, OfferTerms>,
  { key, revisionId, terms: next }: CurrentOffer,
  from: number,
): Outcome {
  const terms = revisions.get(subscription.offerRevisionId)
  if (!terms) throw new Error(`Subscription ${subscription.id} has terms of another offer.`)
  const { id: subscriptionId, statusId, changesTo, migratesTo } = subscription
  if (migratesTo === revisionId) return { subscription, outcome: 'waiting' }
  if (statusId !== GRANT_STATUS.active) return { subscription, outcome: 'cancelled' }
  if (changesTo !== null) return { subscription, outcome: 'changing' }
  const isSame = planOf({ key, terms: next }) === subscription.plan
  if (!isSame || !isDeepStrictEqual(next.recurrence, terms.recurrence))
    return { subscription, outcome: 'different' }
  const announced = migratesTo === null ? terms : (revisions.get(migratesTo) ?? terms)
  // Without a card, the subscription ends instead of the renewals that the e-mail announces.
  const letter = hasCardFor(subscription, next.cents) ? letterOf(terms, announced, next) : undefined
  if (letter === undefined) return { subscription, outcome: 'migrated' }
  return {
    subscription,
    outcome: 'migrated',
    letter: {
      subscriptionId,
      letter,
      about: migrationStart(subscription, terms, from),
      cents: next.cents,
      beforeCents: terms.cents,
    },
  }
}

/**
 * Returns the e-mail that announces new terms. Returns undefined if no e-mail is needed: the price stays the same,
 * the subscriber loses no content, and no other price was announced before.
 */
function letterOf(
  terms: OfferTerms,
  announced: OfferTerms,
  next: OfferTerms,
): 'priceChanges' | 'termsChange' | undefined {
  if (next.cents !== terms.cents) return 'priceChanges'
  const opensLess = terms.packageIds.some((id) => !next.packageIds.includes(id))
  const showsLess =
    (next.maximumHeight ?? Number.POSITIVE_INFINITY) < (terms.maximumHeight ?? Number.POSITIVE_INFINITY)
  const saysLess = opensLess || showsLess || (terms.downloads && !next.downloads)
  return saysLess || announced.cents !== next.cents ? 'termsChange' : undefined
}

async function write(
  tx: Transaction,
  outcomes: readonly Outcome[],
  { revisionId: migratesTo }: CurrentOffer,
  migratesFrom: number,
): Promise<void> {
  const migrated = outcomes.filter(({ outcome }) => outcome === 'migrated')
  if (migrated.length === 0) return
  await tx
    .update(subscriptions)
    .set({ migratesTo, migratesFrom })
    .where(
      inArray(
        subscriptions.id,
        migrated.map(({ subscription }) => subscription.id),
      ),
    )
  // `again` replaces an earlier e-mail that has announced other terms for the same date.
  await writeDown(
    tx,
    migrated.flatMap(({ letter }) => letter ?? []),
    { again: true },
  )
}

import { and, eq, gt, isNull, lte } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { holdAccount } from '../../people/accounts/accounts.service.ts'
import { addGrants, endGrants, GRANT_STATUS, type GrantStatus } from '../entitlements/grants.service.ts'
import type { OfferBook } from '../offers/offer-book.service.ts'
import { allowancesOf } from '../offers/offers.service.ts'
import { findCustomer, openServiceSession, orSilent, type ServiceParts, SOON_MS } from './service-sessions.ts'
import { serviceCustomers, serviceSubscriptions } from './subscription-service.table.ts'
import { ServiceSilent, type ServiceSubscription } from './subscription-service.ts'

/** Key of the subscription service in an offer's `externalIds` (A3-23). */
export const SERVICE_STORE = 'cleeng-type'

const SOURCE = 'subscriptionService'

/**
 * How long a renewing subscription gives access after the end of its period, in milliseconds. The service may
 * report the renewal late.
 */
const RENEWAL_MS = 3_600_000

/**
 * Regular interval between queries, in milliseconds. These queries find subscriptions that were cancelled or
 * refunded at the service.
 */
const CHECK_MS = 6 * 3_600_000

/**
 * Interval between queries for a customer without subscriptions who has never opened a checkout, in milliseconds.
 * It is long, because every account that signs in becomes a customer, and each visit begins with a query too
 * (V4-02).
 */
const IDLE_MS = 7 * 86_400_000

/**
 * Maximum number of queries in one call. A query is repeated if a concurrent call has applied a newer response.
 */
const MOST_TRIES = 3

export interface TakeParts extends ServiceParts {
  book: OfferBook
}

/** Result of {@link takeSubscriptions}. */
interface TakenSubscriptions {
  /** Ids of the offers whose subscriptions the account has at the service. */
  optionIds: number[]
  /** Whether rights were granted or ended. */
  hasChanged: boolean
}

/** A right that the account should have according to the service's response. */
interface Wanted {
  reference: string
  offerId: number
  offerRevisionId: number
  packageIds: readonly number[]
  allowances: ReturnType<typeof allowancesOf>
  statusId: GrantStatus
  validFrom: number
  validTo: number
}

/**
 * Queries the subscriptions of an account at the service. Then grants and ends the account's rights to match. Only
 * this query changes rights: messages of the checkout page and notices are not trusted. Can be repeated at any
 * time.
 *
 * @throws ServiceError subscriptionServiceSilent, subscriptionOfAnother
 */
export async function takeSubscriptions(parts: TakeParts, accountId: number): Promise<TakenSubscriptions> {
  const { db, service, book, clock } = parts
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const session = await openServiceSession(parts, accountId)
    const asked = await findCustomer(db, accountId)
    if (asked === undefined) throw new ServiceError('tokenInvalid')
    const held = await orSilent(async () => await service.subscriptionsOf(session))
    const now = clock.now()
    const wanted = wantedOf(held, book, now)
    // Undefined if a concurrent call has applied a newer response.
    const hasChanged = await db.transaction(async (tx) => {
      await holdAccount(tx, accountId)
      // Lock the customer. A checkout that is opened meanwhile then sets its `checkAt` after this transaction.
      const [customer] = await tx
        .select()
        .from(serviceCustomers)
        .where(and(eq(serviceCustomers.accountId, accountId), eq(serviceCustomers.turn, asked.turn)))
        .for('update')
      if (customer === undefined) return undefined
      const isChange = await takeOver(tx, accountId, wanted, now)
      await tx
        .update(serviceCustomers)
        .set({ turn: customer.turn + 1, checkAt: await nextCheck(tx, customer, held, now) })
        .where(eq(serviceCustomers.accountId, accountId))
      return isChange
    })
    if (hasChanged !== undefined)
      return { optionIds: [...new Set(wanted.map(({ offerId }) => offerId))], hasChanged }
  }
  throw new ServiceError('subscriptionServiceSilent', null, {
    cause: new ServiceSilent('Answers of the subscription service overtook each other.'),
  })
}

/**
 * Returns the time of the next query: after an interval, or at the end of a subscription if this is earlier. A
 * query that is already scheduled for an earlier time keeps its time.
 */
async function nextCheck(
  tx: Transaction,
  { accountId, checkAt, purchaseExpectedUntil }: typeof serviceCustomers.$inferSelect,
  held: readonly ServiceSubscription[],
  now: number,
): Promise<number> {
  const isExpected = purchaseExpectedUntil !== null && purchaseExpectedUntil > now
  const isSoon = isExpected || (await isRenewing(tx, accountId, now))
  const planned = [checkAt, ...held.map(({ to }) => to)].filter((time) => time > now)
  const isIdle = held.length === 0 && purchaseExpectedUntil === null
  const usual = isIdle ? IDLE_MS : CHECK_MS
  return Math.min(now + (isSoon ? SOON_MS : usual), ...planned)
}

/**
 * Returns whether the paid period of a renewing subscription has ended within the last hour. Between this end and
 * the renewal, the subscription can be missing in the service's response.
 */
async function isRenewing(tx: Transaction, accountId: number, now: number): Promise<boolean> {
  const [row] = await tx
    .select({ id: serviceSubscriptions.id })
    .from(serviceSubscriptions)
    .where(
      and(
        eq(serviceSubscriptions.accountId, accountId),
        eq(serviceSubscriptions.statusId, GRANT_STATUS.active),
        gt(serviceSubscriptions.validTo, now),
        lte(serviceSubscriptions.validTo, now + RENEWAL_MS),
      ),
    )
    .limit(1)
  return row !== undefined
}

/**
 * Returns the rights from subscriptions at the service. A subscription gives the packages of every offer whose
 * external id is one of its `offerIds`. Withdrawn offers give rights too.
 */
function wantedOf(held: readonly ServiceSubscription[], book: OfferBook, now: number): Wanted[] {
  return held.flatMap(({ reference, offerIds, isCancelled, from, to }) => {
    const validTo = isCancelled ? to : to + RENEWAL_MS
    if (validTo <= now) return []
    return book
      .list()
      .filter(({ type, terms }) => {
        const external = terms.externalIds[SERVICE_STORE]
        return type === 'subscription' && external !== undefined && offerIds.includes(external)
      })
      .map(({ id, revisionId, terms }) => ({
        reference,
        offerId: id,
        offerRevisionId: revisionId,
        packageIds: terms.packageIds,
        allowances: allowancesOf(terms),
        statusId: isCancelled ? GRANT_STATUS.cancelled : GRANT_STATUS.active,
        // A start in the future means that the service's clock is ahead. The right starts now.
        validFrom: Math.min(from, now),
        validTo,
      }))
  })
}

/**
 * Makes the rights of the account match the service's response: ends rights that are missing in the response or
 * have changed, and adds new rights. Returns whether any right has changed.
 */
async function takeOver(
  tx: Transaction,
  accountId: number,
  wanted: readonly Wanted[],
  now: number,
): Promise<boolean> {
  let hasChanged = false
  const running = await tx
    .select()
    .from(serviceSubscriptions)
    .where(and(eq(serviceSubscriptions.accountId, accountId), isNull(serviceSubscriptions.endedAt)))
  const kept = new Set<Wanted>()
  for (const row of running) {
    const same = wanted.find(
      (each) =>
        each.reference === row.reference &&
        each.offerRevisionId === row.offerRevisionId &&
        each.statusId === row.statusId &&
        each.validTo === row.validTo,
    )
    if (same) kept.add(same)
    else {
      await endSubscription(tx, row, now)
      hasChanged = true
    }
  }
  for (const each of wanted) {
    if (kept.has(each)) continue
    const { reference, offerRevisionId, statusId, validFrom, validTo } = each
    const [row] = await tx
      .insert(serviceSubscriptions)
      .values({ accountId, reference, offerRevisionId, statusId, validFrom, validTo })
      // Skip a subscription that the service lists twice.
      .onConflictDoNothing()
      .returning({ id: serviceSubscriptions.id })
    if (row === undefined) continue
    hasChanged = true
    await addGrants(
      tx,
      each.packageIds.map((packageId) => ({
        accountId,
        opens: { packageId },
        source: SOURCE,
        sourceId: String(row.id),
        statusId,
        from: validFrom,
        to: validTo,
        ...each.allowances,
      })),
    )
  }
  return hasChanged
}

async function endSubscription(
  tx: Transaction,
  { id, accountId }: Pick<typeof serviceSubscriptions.$inferSelect, 'id' | 'accountId'>,
  now: number,
): Promise<void> {
  await tx.update(serviceSubscriptions).set({ endedAt: now }).where(eq(serviceSubscriptions.id, id))
  await endGrants(tx, { source: SOURCE, sourceIds: [String(id)], accountIds: [accountId] }, now)
}

/** Ends the rights of a deleted account that come from the service, and deletes its customer record. */
export async function forgetServiceCustomer(tx: Transaction, accountId: number, now: number): Promise<void> {
  await takeOver(tx, accountId, [], now)
  await tx.delete(serviceCustomers).where(eq(serviceCustomers.accountId, accountId))
}

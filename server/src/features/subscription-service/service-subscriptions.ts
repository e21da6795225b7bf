import { and, eq, gt, isNull, lte } from 'drizzle-orm'
import type { Transaction } from '../../database/connection.ts'
import { ServiceError } from '../../http/errors.ts'
import { holdAccount } from '../accounts/accounts.service.ts'
import { addGrants, endGrants, GRANT_STATUS, type GrantStatus } from '../entitlements/grants.service.ts'
import type { OfferBook } from '../offers/offer-book.ts'
import { findCustomer, openServiceSession, orSilent, type ServiceParts, SOON_MS } from './service-sessions.ts'
import { serviceCustomers, serviceSubscriptions } from './subscription-service.table.ts'
import { ServiceSilent, type ServiceSubscription } from './subscription-service.ts'

/** The store in whose name offers carry their id at the service (A3-23). */
export const SERVICE_STORE = 'cleeng-type'

const SOURCE = 'subscriptionService'

/** A subscription that renews plays on for so long, because its renewal is heard of a little later. In milliseconds. */
const RENEWAL_MS = 3_600_000

/** After so long the service is asked again, in milliseconds: what is cancelled or refunded there is heard of then. */
const CHECK_MS = 6 * 3_600_000

/** How often an answer may be overtaken by a later one. */
const MOST_TRIES = 3

export interface TakeParts extends ServiceParts {
  book: OfferBook
}

/** What an account should have by the service's answer. */
interface Wanted {
  reference: string
  offerId: number
  offerRevisionId: number
  packageIds: readonly number[]
  statusId: GrantStatus
  validFrom: number
  validTo: number
}

/**
 * Asks the service what an account holds there, and gives and ends its rights. It is the only way from the service to a right: no
 * message of a page and no notice is believed. It can be called again at any time.
 *
 * @returns the ids of the offers that the account holds there
 * @throws ServiceError subscriptionServiceSilent, subscriptionOfAnother
 */
export async function takeSubscriptions(parts: TakeParts, accountId: number): Promise<number[]> {
  const { db, service, book, clock } = parts
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const session = await openServiceSession(parts, accountId)
    const asked = await findCustomer(db, accountId)
    if (asked === undefined) throw new ServiceError('tokenInvalid')
    const held = await orSilent(async () => await service.subscriptionsOf(session))
    const now = clock.now()
    const wanted = wantedOf(held, book, now)
    const isTaken = await db.transaction(async (tx) => {
      await holdAccount(tx, accountId)
      // Locked, so that a checkout that is opened meanwhile sets the next check after this.
      const [customer] = await tx
        .select()
        .from(serviceCustomers)
        .where(and(eq(serviceCustomers.accountId, accountId), eq(serviceCustomers.turn, asked.turn)))
        .for('update')
      if (customer === undefined) return false
      await takeOver(tx, accountId, wanted, now)
      await tx
        .update(serviceCustomers)
        .set({ turn: customer.turn + 1, checkAt: await nextCheck(tx, customer, held, now) })
        .where(eq(serviceCustomers.accountId, accountId))
      return true
    })
    if (isTaken) return [...new Set(wanted.map(({ offerId }) => offerId))]
  }
  throw new ServiceError('subscriptionServiceSilent', null, {
    cause: new ServiceSilent('Answers of the subscription service overtook each other.'),
  })
}

/** When the service is asked again. A check that is planned already is not put off. */
async function nextCheck(
  tx: Transaction,
  { accountId, checkAt, purchaseExpectedUntil }: typeof serviceCustomers.$inferSelect,
  held: readonly ServiceSubscription[],
  now: number,
): Promise<number> {
  const isExpected = purchaseExpectedUntil !== null && purchaseExpectedUntil > now
  const isSoon = isExpected || (await isRenewing(tx, accountId, now))
  const planned = [checkAt, ...held.map(({ to }) => to)].filter((time) => time > now)
  return Math.min(now + (isSoon ? SOON_MS : CHECK_MS), ...planned)
}

/** Whether a subscription that renews has just come to its end, also one that the service does not list until it is renewed. */
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

/** The offers of this service that are meant. One that was withdrawn here is still held. */
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
        statusId: isCancelled ? GRANT_STATUS.cancelled : GRANT_STATUS.active,
        // A clock there that is ahead keeps nobody from watching.
        validFrom: Math.min(from, now),
        validTo,
      }))
  })
}

/** Ends what is not held any more or has changed, and adds what is new. */
async function takeOver(
  tx: Transaction,
  accountId: number,
  wanted: readonly Wanted[],
  now: number,
): Promise<void> {
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
    else await endSubscription(tx, row, now)
  }
  for (const each of wanted) {
    if (kept.has(each)) continue
    const { reference, offerRevisionId, statusId, validFrom, validTo } = each
    const [row] = await tx
      .insert(serviceSubscriptions)
      .values({ accountId, reference, offerRevisionId, statusId, validFrom, validTo })
      // The service named it twice.
      .onConflictDoNothing()
      .returning({ id: serviceSubscriptions.id })
    if (row === undefined) continue
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
      })),
    )
  }
}

async function endSubscription(
  tx: Transaction,
  { id, accountId }: Pick<typeof serviceSubscriptions.$inferSelect, 'id' | 'accountId'>,
  now: number,
): Promise<void> {
  await tx.update(serviceSubscriptions).set({ endedAt: now }).where(eq(serviceSubscriptions.id, id))
  await endGrants(tx, { source: SOURCE, sourceIds: [String(id)], accountIds: [accountId] }, now)
}

/** Ends what an account that is deleted holds at the service, and forgets its customer there. */
export async function forgetServiceCustomer(tx: Transaction, accountId: number, now: number): Promise<void> {
  await takeOver(tx, accountId, [], now)
  await tx.delete(serviceCustomers).where(eq(serviceCustomers.accountId, accountId))
}

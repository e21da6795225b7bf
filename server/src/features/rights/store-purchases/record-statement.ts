import type { DeviceStore } from '@ondine/contract/store-purchases'
import { and, asc, eq } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { addGrant, endGrants } from '../entitlements/grants.service.ts'
import type { OfferBook } from '../offers/offer-book.service.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { allowancesOf, singleRight } from '../offers/offers.service.ts'
import { offerRevisions, offers } from '../offers/offers.table.ts'
import { productOf } from './products.ts'
import { storePurchases, storeTransactions } from './store-purchases.table.ts'
import { endOf, type StoreTransaction } from './store-rights.ts'
import type { StatedTransaction, StoreStatement } from './store-statement.ts'

export type StorePurchase = typeof storePurchases.$inferSelect

/** A transaction of an app store, with the bought offer in the revision of the purchase. */
export interface SoldTransaction {
  transaction: StoreTransaction
  offer: { id: number; key: string; type: (typeof offers.$inferSelect)['type']; terms: OfferTerms }
}

/**
 * Returns the purchase of a store's statement, and creates it if it is missing. Locks the row of the purchase
 * until `tx` ends.
 */
export async function holdStorePurchase(
  tx: Transaction,
  { store, purchase: reference, replaces, saidAt, renews = true }: StoreStatement,
): Promise<StorePurchase> {
  await tx
    .insert(storePurchases)
    .values({ store, reference, renews, saidAt, accountId: await holderOf(tx, store, replaces) })
    .onConflictDoNothing()
  const [held] = await tx
    .select()
    .from(storePurchases)
    .where(and(eq(storePurchases.store, store), eq(storePurchases.reference, reference)))
    .for('update')
  if (!held) throw new Error('The purchase was not stored.')
  return held
}

/**
 * Returns the account of a purchase that a new purchase replaces, by the reference of the old purchase. Null if the
 * old purchase is not stored, or is not linked to an account.
 */
async function holderOf(
  tx: Transaction,
  store: DeviceStore,
  reference: string | undefined,
): Promise<number | null> {
  if (reference === undefined) return null
  const [row] = await tx
    .select({ accountId: storePurchases.accountId })
    .from(storePurchases)
    .where(and(eq(storePurchases.store, store), eq(storePurchases.reference, reference)))
  return row?.accountId ?? null
}

/**
 * Applies a store's statement about a purchase, then grants or ends the rights of the purchase. Repeated and
 * outdated statements have no effect.
 *
 * @param held the purchase, as {@link holdStorePurchase} returns it
 * @param now milliseconds since the Unix epoch
 * @returns all transactions of the purchase, the oldest first
 */
export async function recordStatement(
  tx: Transaction,
  book: OfferBook,
  held: StorePurchase,
  statement: StoreStatement,
  now: number,
): Promise<SoldTransaction[]> {
  const { saidAt, renews, checkAt } = statement
  if (saidAt >= held.saidAt)
    await tx
      .update(storePurchases)
      .set({ ...(renews !== undefined && { renews }), saidAt, checkAt })
      .where(eq(storePurchases.id, held.id))
  const before = await soldTransactions(tx, held.id)
  for (const stated of statement.transactions)
    await recordTransaction(tx, book, held, before, { ...stated, saidAt })
  return await giveRights(tx, held, now)
}

/** Returns all transactions of a purchase, the oldest first. */
async function soldTransactions(tx: Transaction, purchaseId: number): Promise<SoldTransaction[]> {
  return await tx
    .select({
      transaction: storeTransactions,
      offer: { id: offers.id, key: offers.key, type: offers.type, terms: offerRevisions.terms },
    })
    .from(storeTransactions)
    .innerJoin(offerRevisions, eq(storeTransactions.offerRevisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .where(eq(storeTransactions.purchaseId, purchaseId))
    .orderBy(asc(storeTransactions.startsAt), asc(storeTransactions.id))
}

async function recordTransaction(
  tx: Transaction,
  book: OfferBook,
  { id: purchaseId, store }: StorePurchase,
  before: readonly SoldTransaction[],
  { reference, productId, startsAt, endsAt, ...stated }: StatedTransaction & { saidAt: number },
): Promise<void> {
  const { saidAt, graceUntil, revokedAt } = stated
  const known = before.find(
    ({ transaction }) => transaction.reference === reference && transaction.productId === productId,
  )?.transaction
  const said = {
    endsAt,
    saidAt,
    ...(graceUntil !== undefined && { graceUntil }),
    ...(revokedAt !== undefined && { revokedAt }),
  }
  if (known) {
    if (saidAt >= known.saidAt)
      await tx.update(storeTransactions).set(said).where(eq(storeTransactions.id, known.id))
    return
  }
  // A renewal keeps the offer revision of the first transaction for the product.
  const bought = before.findLast(({ transaction }) => transaction.productId === productId)
  const offerRevisionId =
    bought?.transaction.offerRevisionId ?? productOf(book, store, productId, saidAt)?.revisionId
  if (offerRevisionId === undefined) return
  await tx
    .insert(storeTransactions)
    .values({ purchaseId, reference, productId, offerRevisionId, startsAt, ...said })
}

/** Updates the rights of a purchase to match its transactions. @returns all transactions, the oldest first */
async function giveRights(
  tx: Transaction,
  { id, accountId, assetId }: Pick<StorePurchase, 'id' | 'accountId' | 'assetId'>,
  now: number,
): Promise<SoldTransaction[]> {
  const sold = await soldTransactions(tx, id)
  const all = sold.map(({ transaction }) => transaction)
  for (const { transaction, offer } of sold) {
    const end = endOf(transaction, all)
    const { givenTo } = transaction
    const isGiven = givenTo !== null && givenTo === accountId
    const isWanted = accountId !== null && end !== undefined && (end === null || end > now)
    if (isWanted && isGiven && transaction.givenUntil === end) continue
    // Rights that have expired need no update.
    const runs = givenTo !== null && (transaction.givenUntil ?? Infinity) > now
    if (!isWanted && !runs) continue
    if (runs) {
      const origins = { sourceIds: [sourceIdOf(transaction)], accountIds: [givenTo] }
      await endGrants(tx, { source: 'store', ...origins }, now)
    }
    const turn = transaction.turn + (givenTo === null ? 0 : 1)
    if (isWanted)
      for (const right of rightsOf(offer, assetId, transaction, end, now))
        await addGrant(tx, {
          accountId,
          ...right,
          source: 'store',
          sourceId: sourceIdOf({ ...transaction, turn }),
        })
    await tx
      .update(storeTransactions)
      .set({ givenTo: isWanted ? accountId : null, givenUntil: isWanted ? end : null, turn })
      .where(eq(storeTransactions.id, transaction.id))
  }
  return sold
}

/**
 * Returns the source id for the rights of a transaction. The id contains `turn`, because each source gives a right
 * only once: rights that are granted again need a new source.
 */
function sourceIdOf({ id, turn }: Pick<StoreTransaction, 'id' | 'turn'>): string {
  return `${id}-${turn}`
}

function rightsOf(
  { type, key, terms }: SoldTransaction['offer'],
  assetId: number | null,
  { startsAt }: StoreTransaction,
  to: number | null,
  now: number,
) {
  if (type === 'subscription')
    return terms.packageIds.map((packageId) => ({
      opens: { packageId },
      from: startsAt,
      to,
      ...allowancesOf(terms),
    }))
  return [singleRight({ type, key, terms }, assetId, now)]
}

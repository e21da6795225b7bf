import type { DeviceStore, TransactionParams } from '@ondine/contract/store-purchases'
import { and, eq, lte, type SQL } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../../clock.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { notFoundBy, ServiceError } from '../../../http/errors.ts'
import { requireHeldAccount } from '../../people/accounts/accounts.service.ts'
import { standsInPackages } from '../entitlements/packages.service.ts'
import type { CurrentOffer, OfferBook } from '../offers/offer-book.service.ts'
import type { AppStore } from './app-store.ts'
import { type GoogleAnswer, type GooglePlay, type GooglePurchase, orderOf } from './google-play.ts'
import { productOf } from './products.ts'
import {
  holdStorePurchase,
  recordStatement,
  type SoldTransaction,
  type StorePurchase,
} from './record-statement.ts'
import { storePurchases, storeTransactions } from './store-purchases.table.ts'
import { endOf } from './store-rights.ts'
import type { StoreStatement } from './store-statement.ts'

/** Dependencies of this feature. `apple` and `google` are undefined if their settings are missing. */
export interface StoreParts {
  db: Database
  book: OfferBook
  clock: Clock
  log: FastifyBaseLogger
  apple: AppStore | undefined
  google: GooglePlay | undefined
}

/** A purchase as an app sends it. */
export interface SentPurchase {
  transactionId: string
  provider: DeviceStore
  params: TransactionParams
}

/** Result of a linked purchase. Times are milliseconds since the Unix epoch. */
export interface LinkedPurchase {
  offerId: number
  isActive: boolean
  renews: boolean
  from: number
  to: number | null
}

/** A store's confirmation of a purchase that an app sent, and the bought product. */
interface Linkable {
  statement: StoreStatement
  productId: string
}

/** Delay before the next request if Google does not answer, in milliseconds. */
const AGAIN_MS = 10 * 60_000

/** Number of purchases that one query reads. */
const SLICE = 100

/**
 * Links a store's purchase to an account and grants its rights. A repeated call returns the same answer.
 *
 * @throws ServiceError optionAlreadyAdded for a purchase that is linked to another account; paymentDataMissing if
 * the app sent an incomplete purchase; paymentDataInvalid if the store does not confirm the purchase;
 * resourceNotActive for a product without an offer; contentIdMissing, contentTypeMissing, notFound for a rental
 * without its title; paymentProviderSilent if the store does not answer
 */
export async function linkStorePurchase(
  parts: StoreParts,
  account: { id: number; since: number },
  sent: SentPurchase,
): Promise<LinkedPurchase> {
  const { db, book, clock } = parts
  const now = clock.now()
  const { statement, productId, google } = await readSent(parts, sent, now)
  const linked = await despiteOthers(db, async (tx) => {
    // Lock the account before the purchase. The deletion of an account locks them in the same sequence.
    const { id: accountId } = await requireHeldAccount(tx, account)
    const held = await holdStorePurchase(tx, statement)
    if (held.accountId !== null && held.accountId !== accountId) throw new ServiceError('optionAlreadyAdded')
    const offer = productOf(book, sent.provider, productId, now)
    if (!offer) throw new ServiceError('resourceNotActive')
    const purchase = { ...held, accountId, assetId: held.assetId ?? (await assetOf(tx, offer, sent.params)) }
    await tx
      .update(storePurchases)
      .set({ accountId, assetId: purchase.assetId })
      .where(eq(storePurchases.id, held.id))
    const sold = await recordStatement(tx, book, purchase, statement, now)
    return present(purchase, sold, { ...statement, productId }, now)
  })
  if (google) await acknowledge(parts, google, now)
  return linked
}

/** Verifies a purchase that an app sent, and returns the store's statement about it. */
async function readSent(
  { apple, google, book }: StoreParts,
  { transactionId, provider, params }: SentPurchase,
  now: number,
): Promise<Linkable & { google?: GoogleReading }> {
  if (provider === 'apple') {
    if (params.signedTransaction === undefined) throw new ServiceError('paymentDataMissing')
    const statement = await apple?.readTransaction(params.signedTransaction)
    const [transaction] = statement?.transactions ?? []
    if (!statement || transaction?.reference !== transactionId) throw new ServiceError('paymentDataInvalid')
    return { statement, productId: transaction.productId }
  }
  const { productId, purchaseToken: token } = params
  if (productId === undefined || token === undefined) throw new ServiceError('paymentDataMissing')
  if (!google) throw new ServiceError('paymentDataInvalid')
  const offer = productOf(book, provider, productId, now)
  if (!offer) throw new ServiceError('resourceNotActive')
  const purchase = { token, productId, isSubscription: offer.type === 'subscription' }
  const answer = await google.read(purchase, now)
  const isOf = answer?.statement.transactions.some((transaction) => transaction.productId === productId)
  const isNamed = transactionId === token || answer?.orderIds.includes(orderOf(transactionId))
  if (!answer || !isOf || !isNamed) throw new ServiceError('paymentDataInvalid')
  return { statement: answer.statement, productId, google: { answer, purchase } }
}

/**
 * Returns the id of the title that the buyer has chosen; null if the offer has no choice of a title.
 *
 * @throws ServiceError contentIdMissing, contentTypeMissing, notFound
 */
async function assetOf(
  tx: Transaction,
  { terms }: CurrentOffer,
  { contentId, contentType }: TransactionParams,
): Promise<number | null> {
  if (terms.opens.kind !== 'title') return null
  if (contentId === undefined) throw new ServiceError('contentIdMissing')
  if (contentType === undefined) throw new ServiceError('contentTypeMissing')
  if (contentType !== 'VOD_ASSET' || !(await standsInPackages(tx, contentId, terms.packageIds)))
    throw notFoundBy('transactionParams')
  return contentId
}

function present(
  { renews }: StorePurchase,
  sold: readonly SoldTransaction[],
  { productId, transactions, renews: saidRenews }: StoreStatement & { productId: string },
  now: number,
): LinkedPurchase {
  const references = new Set(transactions.map(({ reference }) => reference))
  const found = sold.findLast(
    ({ transaction }) => references.has(transaction.reference) && transaction.productId === productId,
  )
  if (!found) throw new ServiceError('resourceNotActive')
  const { transaction, offer } = found
  // Reject a subscription without an end of its period.
  if (offer.type === 'subscription' && transaction.endsAt === null)
    throw new ServiceError('paymentDataInvalid')
  const end = endOf(
    transaction,
    sold.map((each) => each.transaction),
  )
  return {
    offerId: offer.id,
    isActive: end !== undefined && (end === null || end > now),
    renews: offer.type !== 'subscription' || (saidRenews ?? renews),
    from: transaction.startsAt,
    to: end === undefined ? (transaction.revokedAt ?? transaction.endsAt) : end,
  }
}

/** Google's response about a purchase. */
interface GoogleReading {
  answer: GoogleAnswer
  purchase: GooglePurchase
}

/** Acknowledges a purchase at Google. If Google does not answer, the periodic job tries again. */
async function acknowledge(
  { db, google, log }: StoreParts,
  { answer: { isUnacknowledged, statement }, purchase }: GoogleReading,
  now: number,
): Promise<void> {
  if (!isUnacknowledged) return
  try {
    await google?.acknowledge(purchase)
  } catch (error) {
    log.warn({ err: error }, 'a purchase could not be acknowledged at Google')
    await db
      .update(storePurchases)
      .set({ checkAt: now + AGAIN_MS })
      .where(and(eq(storePurchases.store, 'google'), eq(storePurchases.reference, statement.purchase)))
  }
}

/**
 * Handles a notice of Apple.
 *
 * @throws ServiceError forbidden if the notice is forged
 */
export async function takeAppleNotice(parts: StoreParts, apple: AppStore, signed: string): Promise<void> {
  const statement = await apple.readNotice(signed)
  if (statement === undefined) throw new ServiceError('forbidden')
  if (statement !== null) await take(parts, statement)
}

/**
 * Handles a notice of Google. Queries the current state of the purchase at Google.
 *
 * @throws ServiceError forbidden if the notice is forged
 */
export async function takeGoogleNotice(
  parts: StoreParts,
  google: GooglePlay,
  { authorization, body }: { authorization: unknown; body: string },
): Promise<void> {
  const notice = await google.readNotice(authorization, body)
  if (notice === undefined) throw new ServiceError('forbidden')
  if (notice === null) return
  if (notice.kind === 'changed') await readAgain(parts, google, notice.purchase)
  else if (!(await takeBack(parts, notice))) {
    // The refunded order is not stored yet. Query the purchase at Google to store its orders, then try again.
    const [known] = await knownPurchases(parts.db, eq(storePurchases.reference, notice.token))
    if (!known) return
    await readAgain(parts, google, known)
    await takeBack(parts, notice)
  }
}

/** Queries a purchase at Google and applies the response. @returns whether Google knows the purchase */
async function readAgain(parts: StoreParts, google: GooglePlay, purchase: GooglePurchase): Promise<boolean> {
  const now = parts.clock.now()
  const answer = await google.read(purchase, now)
  if (!answer) return false
  const held = await take(parts, answer.statement)
  if (held?.accountId != null) await acknowledge(parts, { answer, purchase }, now)
  return true
}

/**
 * Returns stored purchases of Google Play, with the fields that a query to Google needs. The most overdue
 * purchases come first.
 */
async function knownPurchases(
  db: Database,
  which: SQL | undefined,
): Promise<(GooglePurchase & { id: number })[]> {
  const rows = await db
    .selectDistinctOn([storePurchases.checkAt, storePurchases.id], {
      id: storePurchases.id,
      token: storePurchases.reference,
      productId: storeTransactions.productId,
      endsAt: storeTransactions.endsAt,
    })
    .from(storePurchases)
    .innerJoin(storeTransactions, eq(storeTransactions.purchaseId, storePurchases.id))
    .where(and(eq(storePurchases.store, 'google'), which))
    .orderBy(storePurchases.checkAt, storePurchases.id)
    .limit(SLICE)
  return rows.map(({ endsAt, ...purchase }) => ({ ...purchase, isSubscription: endsAt !== null }))
}

/** Ends the rights of a refunded order. @returns whether the order is stored here */
async function takeBack(
  parts: StoreParts,
  { token, orderId }: { token: string; orderId: string },
): Promise<boolean> {
  const { db, book, clock } = parts
  const now = clock.now()
  return await despiteOthers(db, async (tx) => {
    const [purchase] = await tx
      .select()
      .from(storePurchases)
      .where(and(eq(storePurchases.store, 'google'), eq(storePurchases.reference, token)))
      .for('update')
    if (!purchase) return false
    const found = await tx
      .select()
      .from(storeTransactions)
      .where(and(eq(storeTransactions.purchaseId, purchase.id), eq(storeTransactions.reference, orderId)))
    const transactions = found.map((transaction) => ({ ...transaction, revokedAt: now }))
    const { checkAt } = purchase
    const statement = { store: 'google', purchase: token, saidAt: now, transactions, checkAt } as const
    await recordStatement(tx, book, purchase, statement, now)
    return found.length > 0
  })
}

/**
 * Applies a statement that did not come from an app. Ignores the statement if no offer has the product and the
 * purchase is not stored.
 *
 * @returns the purchase; undefined if the statement was ignored
 */
async function take(
  { db, book, clock }: StoreParts,
  statement: StoreStatement,
): Promise<StorePurchase | undefined> {
  const now = clock.now()
  const { store, transactions } = statement
  const isSold = transactions.some(({ productId }) => productOf(book, store, productId, now))
  return await despiteOthers(db, async (tx) => {
    if (!isSold && !(await isKnown(tx, statement))) return undefined
    const held = await holdStorePurchase(tx, statement)
    await recordStatement(tx, book, held, statement, now)
    return held
  })
}

/**
 * Runs a transaction that locks a purchase and its account. Retries the transaction after a deadlock. Deadlocks
 * are possible, because the order of the locks differs: a notice locks the purchase first, because only the
 * purchase names its account. Linking a purchase and deleting an account lock the account first.
 */
async function despiteOthers<Result>(
  db: Database,
  transaction: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return await retryOnDeadlock(async () => await db.transaction(transaction))
}

/** Returns whether a purchase is stored. A stored purchase continues even if its product is no longer sold. */
async function isKnown(
  tx: Transaction,
  { store, purchase }: Pick<StoreStatement, 'store' | 'purchase'>,
): Promise<boolean> {
  const found = await tx
    .select({ id: storePurchases.id })
    .from(storePurchases)
    .where(and(eq(storePurchases.store, store), eq(storePurchases.reference, purchase)))
  return found.length > 0
}

/**
 * Queries Google for all purchases that are due at the start: their renewal was not reported, or they are not
 * acknowledged. If a query fails, logs the error and continues with the next purchase.
 *
 * @param signal stops the run when it is aborted
 */
export async function checkStorePurchases(parts: StoreParts, signal?: AbortSignal): Promise<void> {
  const { db, clock, log, google } = parts
  if (!google) return
  const isDue = lte(storePurchases.checkAt, clock.now())
  for (;;) {
    const due = await knownPurchases(db, isDue)
    if (due.length === 0) return
    for (const { id, ...purchase } of due) {
      signal?.throwIfAborted()
      // Postpone the next query first. Otherwise a failing purchase would stay first in the queue and block the
      // others.
      await askLater(db, id, clock.now() + AGAIN_MS)
      try {
        if (!(await readAgain(parts, google, purchase))) await askLater(db, id, null)
      } catch (error) {
        log.warn({ err: error, purchase: id }, 'a purchase could not be checked at Google')
      }
    }
  }
}

async function askLater(db: Database, id: number, checkAt: number | null): Promise<void> {
  await db.update(storePurchases).set({ checkAt }).where(eq(storePurchases.id, id))
}

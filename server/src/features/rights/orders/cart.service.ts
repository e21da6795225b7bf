import type { Configuration } from '@ondine/contract/configuration'
import type { SoldType } from '@ondine/contract/offers'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { oneOf } from '../../../database/one-of.ts'
import { notFoundBy, ServiceError } from '../../../http/errors.ts'
import type { Call } from '../../../http/operations.ts'
import type { VatRates } from '../../../money/vat-rates.ts'
import { requireHeldAccount } from '../../people/accounts/accounts.service.ts'
import { isProven } from '../../people/parental/parental.service.ts'
import { requireActiveAccount } from '../entitlements/entitlements.service.ts'
import { type CurrentOffer, isOnSale, type OfferBook } from '../offers/offer-book.service.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import type { Selling } from '../offers/promotions.service.ts'
import { holdingsFor, type Line, requireFree, requireRequired, requireTogether } from './cart-rules.ts'
import type { Holdings } from './holdings.service.ts'
import { cartItems, cartVouchers } from './orders.table.ts'
import type { ReadCart } from './read-orders.ts'
import type { ReplaceCart } from './replace-cart.ts'
import type { FindSubject, Subject, SubjectReader } from './subjects.ts'

/** Dependencies of carts. */
export interface CartParts {
  db: Database
  book: OfferBook
  findSubject: FindSubject
  vatRates: VatRates
  readCart: ReadCart
  replaceCart: ReplaceCart
}

/** The account that buys, with its rights to content and the operator's sales settings. */
export interface Buyer extends SubjectReader {
  account: { id: number; since: number }
  /** The operator's sales settings for this buyer. */
  sells: Selling & Pick<Configuration['offers'], 'transactional' | 'isCardAskedForTrial'>
  /** Returns whether the call contains a valid proof of the parental code. */
  hasGivenCode: () => Promise<boolean>
}

/** Content to buy, as the call names it. */
export interface SentContext {
  contentId?: number | undefined
  contentType?: SoldType | undefined
}

/**
 * Replaces the offers in the cart (spec 35). If the call fails, the cart does not change.
 *
 * @throws ServiceError optionIdsMissing; notFound for an unknown offer; the errors of {@link requirePurchasable}
 */
export async function fillCart(
  parts: CartParts,
  buyer: Buyer,
  optionIds: readonly number[],
  context: SentContext,
): Promise<void> {
  if (optionIds.length === 0) throw new ServiceError('optionIdsMissing')
  const lines = optionIds.map((id) => {
    const offer = parts.book.ofId(id)
    if (!offer) throw notFoundBy('optionIds')
    return { offer, assetId: assetOf(offer, context) }
  })
  const { db } = parts
  const offers = lines.map(({ offer }) => offer)
  const holdings = await holdingsFor(db, offers, buyer.account.id, buyer.now)
  await requirePurchasable(parts, buyer, lines, holdings)
  await parts.replaceCart({ account: buyer.account, lines })
}

/**
 * Returns the id of the title that the buyer chooses; null for an offer without a choice.
 *
 * @throws ServiceError contentIdMissing, contentTypeMissing, notFound
 */
function assetOf({ terms }: CurrentOffer, { contentId, contentType }: SentContext): number | null {
  if (terms.opens.kind !== 'title') return null
  if (contentId === undefined) throw new ServiceError('contentIdMissing')
  if (contentType === undefined) throw new ServiceError('contentTypeMissing')
  if (contentType !== 'VOD_ASSET') throw notFoundBy('extra')
  return contentId
}

/** Removes offers from the cart. Offers that are not in the cart are ignored. */
export async function emptyCart(
  { db, book }: Pick<CartParts, 'db' | 'book'>,
  { account }: Pick<Buyer, 'account'>,
  optionIds: readonly number[],
): Promise<void> {
  if (optionIds.length === 0) throw new ServiceError('optionIdsMissing')
  await db.transaction(async (tx) => {
    const { id: accountId } = await requireHeldAccount(tx, account)
    const rows = (await allCartRows(tx, [accountId])).get(accountId) ?? []
    const rest = rows.filter(({ offerId }) => !optionIds.includes(offerId))
    if (rest.length === rows.length) return
    await tx.delete(cartItems).where(eq(cartItems.accountId, accountId))
    // Also remove options whose required subscriptions have all left the cart.
    const keys = new Set(rest.map(({ offerId }) => book.ofId(offerId)?.key))
    const gone = new Set(
      rows.filter((row) => !rest.includes(row)).map(({ offerId }) => book.ofId(offerId)?.key),
    )
    const kept = rest.filter(({ offerId }) => {
      const requires = book.ofId(offerId)?.terms.requires ?? []
      return !requires.some((key) => gone.has(key)) || requires.some((key) => keys.has(key))
    })
    if (kept.length > 0)
      await tx.insert(cartItems).values(
        kept.map(({ offerRevisionId, assetId }, position) => ({
          accountId,
          position,
          offerRevisionId,
          assetId,
        })),
      )
  })
}

/** A stored line of a cart. */
export type CartRow = Pick<typeof cartItems.$inferSelect, 'offerRevisionId' | 'assetId'> & { offerId: number }

/**
 * Returns the rows of the carts of accounts, by account id. The rows of each cart are in the sequence of its lines.
 */
export async function allCartRows(
  db: Database | Transaction,
  accountIds: readonly number[],
): Promise<Map<number, CartRow[]>> {
  const rows = await db
    .select({
      accountId: cartItems.accountId,
      offerId: offerRevisions.offerId,
      offerRevisionId: cartItems.offerRevisionId,
      assetId: cartItems.assetId,
    })
    .from(cartItems)
    .innerJoin(offerRevisions, eq(cartItems.offerRevisionId, offerRevisions.id))
    .where(oneOf(cartItems.accountId, accountIds))
    .orderBy(asc(cartItems.position))
    .prepare('cart_rows')
    .execute()
  return Map.groupBy(rows, ({ accountId }) => accountId)
}

/**
 * Returns the lines of a cart. Rejects an offer that has changed since it was put into the cart: the customer has
 * not seen the new terms.
 *
 * @throws ServiceError conflict for a changed offer
 */
export function linesOf(book: OfferBook, rows: readonly CartRow[]): Line[] {
  return rows.map(({ offerId, offerRevisionId, assetId }) => {
    const offer = book.ofId(offerId)
    if (offer?.revisionId !== offerRevisionId) throw new ServiceError('conflict')
    return { offer, assetId }
  })
}

/**
 * Rejects a cart whose offers have changed since they were put into it, and brings the cart up to date: it takes the
 * current terms, and loses offers that are no longer on sale. The customer sees the new cart before paying.
 *
 * @throws ServiceError resourceNotActive if an offer is no longer on sale; conflict if its terms have changed
 */
export async function requireUnchanged(
  { db, book }: Pick<CartParts, 'db' | 'book'>,
  { account, now }: Pick<Buyer, 'account' | 'now'>,
  rows: readonly CartRow[],
): Promise<void> {
  const gone = rows.filter(({ offerId, assetId }) => {
    const offer = book.ofId(offerId)
    const isForTitle = offer?.terms.opens.kind === 'title'
    return !offer || !isOnSale(offer, now) || isForTitle !== (assetId !== null)
  })
  if (gone.length > 0) {
    await emptyCart(
      { db, book },
      { account },
      gone.map(({ offerId }) => offerId),
    )
    throw new ServiceError('resourceNotActive')
  }
  const changed = rows.flatMap(({ offerId, offerRevisionId: from }) => {
    const to = book.ofId(offerId)?.revisionId
    return to === undefined || to === from ? [] : [{ from, to }]
  })
  if (changed.length === 0) return
  await db.transaction(async (tx) => {
    const { id: accountId } = await requireHeldAccount(tx, account)
    for (const { from, to } of changed)
      await tx
        .update(cartItems)
        .set({ offerRevisionId: to })
        .where(and(eq(cartItems.accountId, accountId), eq(cartItems.offerRevisionId, from)))
  })
  throw new ServiceError('conflict')
}

/**
 * Returns a text that identifies the content of lines: equal offers and titles in the same order give the same
 * text.
 */
export function contentOf(
  lines: readonly { offer: { revisionId: number }; assetId: number | null }[],
): string {
  return JSON.stringify(lines.map(({ offer, assetId }) => [offer.revisionId, assetId]))
}

/**
 * Empties the carts whose offers and titles these orders have bought. The terms of an offer may have changed since the
 * order was submitted, and a cart then has the new terms.
 */
export async function forgetBought(
  tx: Transaction,
  bought: readonly { accountId: number; lines: readonly { offerId: number; assetId: number | null }[] }[],
): Promise<void> {
  if (bought.length === 0) return
  const sold = JSON.stringify(
    bought.map(({ accountId, lines }) => ({
      account_id: accountId,
      content: JSON.stringify(lines.map(({ offerId, assetId }) => [offerId, assetId])),
    })),
  )
  // Must build the same text as `JSON.stringify`.
  const held = sql`'[' || string_agg(
    '[' || ${offerRevisions.offerId} || ',' || coalesce(${cartItems.assetId}::text, 'null') || ']', ',' order by ${cartItems.position}
  ) || ']'`
  await tx.execute(sql`
    with sold as (select * from json_to_recordset(${sold}::json) as sold (account_id integer, content text)),
    bought as (
      select ${cartItems.accountId} as account_id from ${cartItems} join sold on sold.account_id = ${cartItems.accountId}
      join ${offerRevisions} on ${offerRevisions.id} = ${cartItems.offerRevisionId}
      group by ${cartItems.accountId}, sold.content having ${held} = sold.content
    ),
    no_voucher as (delete from ${cartVouchers} where ${cartVouchers.accountId} in (select account_id from bought))
    delete from ${cartItems} where ${cartItems.accountId} in (select account_id from bought)`)
}

/**
 * Rejects lines that the buyer may not buy now. Called when the lines are put into the cart, and again when the
 * cart is paid.
 *
 * @param holdings holdings of the buyer; null if the caller checks the holdings later, after locking the account
 * @returns the title or channel of a one-time purchase; undefined for a subscription or a season
 * @throws ServiceError with the reason: the reasons of `cart-rules.ts`; resourceNotActive for an offer that is not
 * on sale; notFound for a title that the offer does not include; alreadySubscribed for content that the buyer
 * already has; purchaseCodeRequired
 */
export async function requirePurchasable(
  { findSubject }: Pick<CartParts, 'findSubject'>,
  buyer: Buyer,
  lines: readonly Line[],
  holdings: Holdings | null,
): Promise<Subject | undefined> {
  const { viewer, now } = buyer
  const offers = lines.map(({ offer }) => offer)
  for (const offer of offers)
    if (!isOnSale(offer, now) || !isSoldHere(offer, buyer)) throw new ServiceError('resourceNotActive')
  requireTogether(offers)
  if (holdings) {
    requireFree(offers, holdings)
    requireRequired(offers, holdings)
  }
  for (const { type, terms } of offers) {
    const isHeld = terms.packageIds.every((id) => viewer.packageIds.has(id))
    if (type === 'subscription' && terms.requires.length === 0 && isHeld)
      throw new ServiceError('alreadySubscribed')
  }
  const [line] = lines
  return line && line.offer.type !== 'subscription'
    ? await requireSubject(findSubject, buyer, line)
    : undefined
}

/** Returns whether the operator sells offers of this type to the buyer. */
export function isSoldHere({ type }: Pick<CurrentOffer, 'type'>, { sells }: Pick<Buyer, 'sells'>): boolean {
  return (type === 'subscription' ? sells.subscription : sells.transactional) === 'enabled'
}

/**
 * Returns the title or channel of a one-time purchase, if the buyer may buy it. Returns undefined for a season:
 * the season is fixed by the offer, so there is nothing to look up.
 */
async function requireSubject(
  findSubject: FindSubject,
  buyer: Buyer,
  { offer: { type, terms }, assetId }: Line,
): Promise<Subject | undefined> {
  const { opens, packageIds } = terms
  const wanted =
    opens.kind === 'channel'
      ? { type: 'CHANNEL' as const, id: opens.channelId }
      : assetId !== null && { type: 'VOD_ASSET' as const, id: assetId }
  if (!wanted) return undefined
  const subject = await findSubject(wanted, buyer)
  if (!subject?.packageIds.some((id) => packageIds.includes(id))) throw notFoundBy('extra')
  if (!subject.isAvailable) throw new ServiceError('resourceNotActive')
  if (subject.isIncluded) throw new ServiceError('alreadySubscribed')
  // An account can rent a title again before its first rental of the title ends (spec 49). For an event or a
  // channel, an account can hold only one right at a time.
  const { owned } = buyer.viewer
  if (type === 'ppv' && (wanted.type === 'CHANNEL' ? owned.channels : owned.assets).has(wanted.id))
    throw new ServiceError('optionAlreadyAdded')
  if (subject.isNeedParentalCode && !(await buyer.hasGivenCode()))
    throw new ServiceError('purchaseCodeRequired')
  return subject
}

/**
 * Returns the buyer of a call.
 *
 * @param proof proof of the parental code, if the call has one
 * @throws ServiceError accountSuspended; tokenInvalid if the account is closed
 */
export async function buyerOf(
  { viewers, configurations, db, keys }: Pick<Context, 'viewers' | 'configurations' | 'db' | 'keys'>,
  call: Call<'profile'>,
  proof: string | undefined,
): Promise<Buyer> {
  const { account, language, now, storefront } = call
  const viewer = await viewers.of(call, now)
  requireActiveAccount(viewer)
  return {
    account,
    viewer,
    language,
    now,
    sells: configurations.of(storefront.id).offers,
    hasGivenCode: async () => await isProven({ db, keys }, account.id, proof),
  }
}

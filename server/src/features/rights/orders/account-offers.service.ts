import type { OfferType } from '@ondine/contract/offers'
import { OFFER_VALIDITY, type OfferSource, type OfferValidity } from '@ondine/contract/orders'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { GRANT_STATUS } from '../entitlements/grants.service.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { offerRevisions, offers } from '../offers/offers.table.ts'
import { type Introduction, promotionOf, withPromotion } from '../offers/promotions.service.ts'
import { type Buyer, contentOf } from './cart.service.ts'
import { dueFor, type Renewal, renewalsOf } from './due.ts'
import { holdingsOf, type Purchase, planOf, purchasesOf, SOLD_OFFER } from './holdings.service.ts'
import { cartItems, cartVouchers, orderItems, orders } from './orders.table.ts'

/**
 * An offer that an account has bought, ordered or put into its cart (A4.1-01). Times are milliseconds since the
 * Unix epoch.
 */
export interface AccountOffer {
  offer: { id: number; key: string; type: OfferType; terms: OfferTerms }
  source: OfferSource
  assetId: number | null
  statusId: OfferValidity
  inCart: boolean
  /** Amount due, in cents; null for a bought offer. */
  dueCents: number | null
  /** Later charges of an offer that is not bought yet. */
  renewals: Renewal[]
  /** Days of the free trial of an offer that is not bought yet; 0 for none. */
  trialDays: number
  /** The operator's promotion for an offer that is not bought yet; null if there is none. */
  promotion: Introduction | null
  from: number | null
  to: number | null
}

/**
 * Purchases, open orders and cart of an account. This data does not depend on the operator's settings, so it can
 * be cached.
 */
export interface AccountPurchases {
  /** Plans whose trial the account has used. */
  tried: ReadonlySet<string>
  /** Items of the account's open orders. */
  pending: readonly PendingItem[]
  /** Items of the account's cart; empty if an open order contains the same items. */
  inCart: readonly Pick<AccountOffer, 'offer' | 'assetId'>[]
  /** Whether a voucher lowers the prices of the account's cart. */
  hasVoucher: boolean
  bought: readonly Purchase[]
}

interface PendingItem extends Pick<AccountOffer, 'offer' | 'assetId' | 'trialDays' | 'promotion'> {
  dueCents: number
  /** Whether the cart contains exactly the items of this order. */
  inCart: boolean
}

/** Reads the purchases of an account. @param now milliseconds since the Unix epoch */
export async function readPurchases(db: Database, accountId: number, now: number): Promise<AccountPurchases> {
  const { tried } = await holdingsOf(db, accountId, now)
  const pending = await db
    .select({
      offer: SOLD_OFFER,
      assetId: orderItems.assetId,
      dueCents: orderItems.cents,
      trialDays: orderItems.trialDays,
      promotion: orderItems.promotion,
      content: orders.content,
    })
    .from(orderItems)
    .innerJoin(orders, eq(orderItems.orderId, orders.id))
    .innerJoin(offerRevisions, eq(orderItems.offerRevisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .where(
      and(
        eq(orders.accountId, accountId),
        inArray(orders.state, ['submitted', 'to_execute']),
        // Exclude renewals, changes of plan and chosen cards, which are not paid from the cart.
        isNull(orders.periodId),
        isNull(orders.replacesId),
        isNull(orders.cardForId),
      ),
    )
    .orderBy(orderItems.id)
  const inCart = await db
    .select({ offer: SOLD_OFFER, assetId: cartItems.assetId })
    .from(cartItems)
    .innerJoin(offerRevisions, eq(cartItems.offerRevisionId, offerRevisions.id))
    .innerJoin(offers, eq(offerRevisions.offerId, offers.id))
    .where(eq(cartItems.accountId, accountId))
    .orderBy(cartItems.position)
  const vouchers = await db
    .select({ codeId: cartVouchers.codeId })
    .from(cartVouchers)
    .where(eq(cartVouchers.accountId, accountId))
  // Hide the cart if an open order contains the same items.
  const content = contentOf(inCart)
  const isSubmitted = pending.some((each) => each.content === content)
  return {
    tried,
    pending: pending.map(({ content: of, ...each }) => ({ ...each, inCart: of === content })),
    inCart: isSubmitted ? [] : inCart,
    hasVoucher: vouchers.length > 0,
    bought: await purchasesOf(db, accountId, now),
  }
}

/** Returns all offers of an account: offers in its open orders, offers in its cart, and bought offers. */
export function accountOffers(
  { tried, pending, inCart, bought }: AccountPurchases,
  { sells, now }: Pick<Buyer, 'sells' | 'now'>,
): AccountOffer[] {
  const unpaid = { source: 'order' as const, from: null, to: null }
  return [
    ...pending.map((each) => ({
      ...each,
      ...unpaid,
      renewals: renewalsOf(withPromotion(each.offer.terms, each.promotion), each.trialDays, now),
      statusId: OFFER_VALIDITY.pendingPayment,
    })),
    ...inCart.map(({ offer, assetId }) => {
      const promotion = promotionOf(offer, sells)
      const terms = withPromotion(offer.terms, promotion)
      const { cents, trialDays } = dueFor(terms, tried.has(planOf(offer)))
      return {
        offer,
        assetId,
        ...unpaid,
        inCart: true,
        statusId: OFFER_VALIDITY.ordered,
        dueCents: cents,
        renewals: renewalsOf(terms, trialDays, now),
        trialDays,
        promotion,
      }
    }),
    ...bought.map(({ offer, source, assetId, statusId, from, to }) => ({
      offer,
      source,
      assetId,
      from,
      to,
      inCart: false,
      statusId: statusId === GRANT_STATUS.cancelled ? OFFER_VALIDITY.cancelled : OFFER_VALIDITY.active,
      dueCents: null,
      renewals: [],
      trialDays: 0,
      promotion: null,
    })),
  ]
}

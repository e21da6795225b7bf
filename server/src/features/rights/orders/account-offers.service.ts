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

/** An offer in the hands of an account (A4.1-01). Times are milliseconds since the Unix epoch. */
export interface AccountOffer {
  offer: { id: number; key: string; type: OfferType; terms: OfferTerms }
  source: OfferSource
  assetId: number | null
  statusId: OfferValidity
  inCart: boolean
  /** Cents that are due for it; null for what is bought. */
  dueCents: number | null
  /** What is charged later for what is not bought yet. */
  renewals: Renewal[]
  /** Days of the trial that it begins with where it is not bought yet; 0 for none. */
  trialDays: number
  /** The operator's promotion that it is sold with; null for what is bought. */
  promotion: Introduction | null
  from: number | null
  to: number | null
}

/** What an account has in its hands. Nothing in it depends on the operator's settings. */
export interface AccountPurchases {
  /** Plans that it has tried for nothing. */
  tried: ReadonlySet<string>
  /** Items of its open orders. */
  pending: readonly PendingItem[]
  /** What is in its cart, unless an open order stands for it. */
  inCart: readonly Pick<AccountOffer, 'offer' | 'assetId'>[]
  /** Whether its cart shows its prices with a voucher. */
  hasVoucher: boolean
  bought: readonly Purchase[]
}

interface PendingItem extends Pick<AccountOffer, 'offer' | 'assetId' | 'trialDays' | 'promotion'> {
  dueCents: number
  /** Whether the cart holds exactly what its order buys. */
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
        // A renewal is no purchase, and a change of plan is not paid from the cart.
        isNull(orders.periodId),
        isNull(orders.replacesId),
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
  // An open order of exactly what is in the cart stands for it. One that was left for another cart does not.
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

/** All offers of an account: those that wait for their payment, those in its cart, and those it has bought. */
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

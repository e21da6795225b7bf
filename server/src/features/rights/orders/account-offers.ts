import type { OfferType } from '@ondine/contract/offers'
import { OFFER_VALIDITY, type OfferSource, type OfferValidity } from '@ondine/contract/orders'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { GRANT_STATUS } from '../entitlements/grants.service.ts'
import { type Introduction, promotionOf, withPromotion } from '../offers/global-promotion.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { offerRevisions, offers } from '../offers/offers.table.ts'
import { type Buyer, type CartParts, contentOf } from './cart.service.ts'
import { dueFor, type Renewal, renewalsOf } from './due.ts'
import { holdingsOf, planOf, purchasesOf, SOLD_OFFER } from './holdings.ts'
import { cartItems, orderItems, orders } from './orders.table.ts'

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

/** All offers of an account: those that wait for their payment, those in its cart, and those it has bought. */
export async function accountOffers(
  { db }: Pick<CartParts, 'db'>,
  { account, sells, now }: Pick<Buyer, 'account' | 'sells' | 'now'>,
): Promise<AccountOffer[]> {
  const { tried } = await holdingsOf(db, account.id, now)
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
        eq(orders.accountId, account.id),
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
    .where(eq(cartItems.accountId, account.id))
    .orderBy(cartItems.position)
  // An open order of exactly what is in the cart stands for it. One that was left for another cart does not.
  const content = contentOf(inCart)
  const isSubmitted = pending.some((each) => each.content === content)
  const bought = await purchasesOf(db, account.id, now)
  const unpaid = { source: 'order' as const, from: null, to: null }
  return [
    ...pending.map(({ content: of, ...each }) => ({
      ...each,
      ...unpaid,
      inCart: of === content,
      renewals: renewalsOf(withPromotion(each.offer.terms, each.promotion), each.trialDays, now),
      statusId: OFFER_VALIDITY.pendingPayment,
    })),
    ...(isSubmitted ? [] : inCart).map(({ offer, assetId }) => {
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
    ...bought.map(({ statusId, ...each }) => ({
      ...each,
      inCart: false,
      statusId: statusId === GRANT_STATUS.cancelled ? OFFER_VALIDITY.cancelled : OFFER_VALIDITY.active,
      dueCents: null,
      renewals: [],
      trialDays: 0,
      promotion: null,
    })),
  ]
}

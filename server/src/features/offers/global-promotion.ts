import type { Configuration } from '@ondine/contract/configuration'
import { readAmount } from '@ondine/contract/money'
import type { OfferType } from '@ondine/contract/offers'
import type { OfferBook } from './offer-book.ts'
import type { OfferTerms } from './offer-terms.ts'

/** How the operator sells, as far as a promotion depends on it. */
export type Selling = Pick<Configuration['offers'], 'subscription' | 'globalPromotion'>

/** A lower price for the first periods of a subscription. VAT included. */
export type Introduction = NonNullable<OfferTerms['introduction']>

/** An offer as far as a promotion depends on it. */
interface Promoted {
  id: number
  type: OfferType
  terms: Pick<OfferTerms, 'cents' | 'introduction'>
}

/**
 * The operator's promotion of an offer, for new subscribers (A3-31). There is none where the offer has an introductory price of its own,
 * or costs no more than the promotion.
 */
export function promotionOf(
  { id, type, terms }: Promoted,
  { subscription, globalPromotion }: Selling,
): Introduction | null {
  const { offerId, discountEnabled, discountedPrice, discountPeriods } = globalPromotion
  if (subscription !== 'enabled' || !discountEnabled || offerId !== id) return null
  const cents = readAmount(discountedPrice)
  if (cents === undefined || type !== 'subscription') return null
  if (terms.introduction !== null || cents >= terms.cents) return null
  return { cents, periods: discountPeriods }
}

/** Terms with a promotion laid over them. */
export function withPromotion<Terms extends Pick<OfferTerms, 'introduction'>>(
  terms: Terms,
  promotion: Introduction | null,
): Terms {
  return promotion === null ? terms : { ...terms, introduction: promotion }
}

/** A field of a promotion that is wrong. */
interface PromotionFault {
  field: 'offerId' | 'discountedPrice'
  message: string
}

/** The reasons why a promotion that is switched on would have no effect. */
export function promotionFaults(
  book: OfferBook,
  { offerId, discountEnabled, discountedPrice }: Selling['globalPromotion'],
): PromotionFault[] {
  if (!discountEnabled) return []
  const offer = book.ofId(offerId)
  if (offer === undefined) return [{ field: 'offerId', message: 'is the number of no offer' }]
  const { type, withdrawnAt, terms } = offer
  if (type !== 'subscription') return [{ field: 'offerId', message: 'must be the number of a subscription' }]
  if (withdrawnAt !== null)
    return [{ field: 'offerId', message: 'is the number of an offer that was withdrawn' }]
  if (terms.introduction !== null)
    return [{ field: 'offerId', message: 'is the number of an offer with an introductory price of its own' }]
  if ((readAmount(discountedPrice) ?? 0) < terms.cents) return []
  return [{ field: 'discountedPrice', message: 'must be lower than the price of the offer' }]
}

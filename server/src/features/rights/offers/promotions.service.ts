import type { Configuration } from '@ondine/contract/configuration'
import { readAmount } from '@ondine/contract/money'
import type { OfferType } from '@ondine/contract/offers'
import type { OfferBook } from './offer-book.service.ts'
import type { OfferTerms } from './offer-terms.ts'

/** Operator settings that define promotions. */
export type Selling = Pick<Configuration['offers'], 'subscription' | 'globalPromotion'>

/** Introductory price for the first periods of a subscription, VAT included. */
export type Introduction = NonNullable<OfferTerms['introduction']>

/** Fields of an offer that promotions depend on. */
interface Promoted {
  id: number
  type: OfferType
  terms: Pick<OfferTerms, 'cents' | 'introduction'>
}

/**
 * Returns the operator's promotion of an offer for new subscribers (A3-31). Returns null in these cases: the
 * promotion is switched off or applies to another offer, the offer has its own introductory price, or the regular
 * price is not above the promotional price.
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

/** Returns the terms of an offer with a promotion applied; the same terms if the promotion is null. */
export function withPromotion<Terms extends Pick<OfferTerms, 'introduction'>>(
  terms: Terms,
  promotion: Introduction | null,
): Terms {
  return promotion === null ? terms : { ...terms, introduction: promotion }
}

/** Invalid setting of a promotion. */
interface PromotionFault {
  field: 'offerId' | 'discountedPrice'
  message: string
}

/**
 * Returns the reasons why the operator's promotion would have no effect. Returns none if the promotion is switched
 * off.
 */
export function promotionFaults(
  book: OfferBook,
  { offerId, discountEnabled, discountedPrice }: Selling['globalPromotion'],
): PromotionFault[] {
  if (!discountEnabled) return []
  const offer = book.ofId(offerId)
  if (offer === undefined) return [{ field: 'offerId', message: 'is not the number of an offer' }]
  const { type, withdrawnAt, terms } = offer
  if (type !== 'subscription') return [{ field: 'offerId', message: 'must be the number of a subscription' }]
  if (withdrawnAt !== null)
    return [{ field: 'offerId', message: 'is the number of an offer that was withdrawn' }]
  if (terms.introduction !== null)
    return [{ field: 'offerId', message: 'is the number of an offer with an introductory price of its own' }]
  if ((readAmount(discountedPrice) ?? 0) < terms.cents) return []
  return [{ field: 'discountedPrice', message: 'must be lower than the price of the offer' }]
}

import type { Offer } from '@ondine/contract/offers'
import type { TFunction } from 'i18next'
import type { Place } from '../../../words/format.ts'
import { amountText, centsOf, moneyText } from '../../../words/money.ts'
import { whenText } from '../../ground/days/showing-when.ts'
import { firstCents } from './plans.ts'

type Priced = Pick<
  Offer,
  'priceWithVat' | 'pricePeriodicity' | 'priceDetail' | 'discount' | 'trialDays' | 'title'
>
type Language = Place['language']

/**
 * Formats the payment interval of a subscription, such as `par mois`; undefined for a one-time payment (A4.2-03).
 */
export function perText(
  {
    pricePeriodicity,
    priceDetail,
  }: Pick<Offer, 'pricePeriodicity'> & {
    priceDetail: Pick<Offer['priceDetail'], 'recurrenceUnit' | 'recurrencePeriod'>
  },
  t: TFunction,
): string | undefined {
  const count = priceDetail.recurrencePeriod
  switch (pricePeriodicity) {
    case null:
      return undefined
    case 'daily':
      return t('offers.perDays', { count: 1 })
    case 'weekly':
      return t('offers.perWeeks', { count: 1 })
    case 'monthly':
      return t('offers.perMonths', { count: 1 })
    case 'yearly':
      return t('offers.perYears', { count: 1 })
    default:
      break
  }
  switch (priceDetail.recurrenceUnit) {
    case 'day':
      return t('offers.perDays', { count })
    case 'week':
      return t('offers.perWeeks', { count })
    case 'month':
      return t('offers.perMonths', { count })
    case 'year':
      return t('offers.perYears', { count })
    default:
      return undefined
  }
}

const HOUR_SECONDS = 3600

/**
 * Formats the time in which a single title or channel can be watched: for an event, the time of the event. The viewing
 * time of a rental starts with the first play, and the viewing time of a channel with the purchase. Undefined for a
 * subscription, and for an event without its title.
 *
 * @param limitHours a time of at least this many hours counts as unlimited (A9-02)
 * @param now seconds since the Unix epoch
 */
export function viewingTimeText(
  {
    offerType,
    rightSlot,
    startAsset,
    endAsset,
  }: Pick<Offer, 'offerType' | 'rightSlot' | 'startAsset' | 'endAsset'>,
  { limitHours, now, place }: { limitHours: number; now: number; place: Place },
  t: TFunction,
): string | undefined {
  if (offerType === 'subscription') return undefined
  if (startAsset !== null && endAsset !== null) return whenText(startAsset, endAsset, now, place, t)
  if (offerType === 'ppv' && rightSlot === null) return undefined
  if (rightSlot === null || rightSlot >= limitHours * HOUR_SECONDS) return t('offers.unlimited')
  const count = Math.round(rightSlot / HOUR_SECONDS)
  return t(offerType === 'transactional' ? 'offers.rentalHours' : 'offers.passHours', { count })
}

/**
 * Returns the texts of an offer's price for its card: the first payment, and later changes of the price (A3-19,
 * A3-22).
 */
export function priceOf(offer: Priced, language: Language, t: TFunction) {
  const { discount, trialDays, priceWithVat, priceDetail, pricePeriodicity } = offer
  const price = amountText(priceWithVat, language)
  const notes = [
    trialDays > 0 ? t('offers.trial', { count: trialDays }) : '',
    discount.active
      ? t(pricePeriodicity === 'monthly' ? 'offers.introMonths' : 'offers.intro', {
          count: discount.periods,
          price,
        })
      : '',
    centsOf(priceDetail.setup) > 0
      ? t('offers.setup', { price: amountText(priceDetail.setup, language) })
      : '',
  ].filter((note) => note !== '')
  return {
    amount: moneyText(firstCents(offer), language),
    before: discount.active ? { amount: price, label: t('offers.usual') } : undefined,
    per: perText(offer, t),
    note: notes.length === 0 ? undefined : notes.join(' '),
  }
}

/** Returns an offer without its introductory price and its trial, for an account that has already used them. */
export function withoutBeginning(offer: Offer): Offer {
  return { ...offer, trialDays: 0, globalPromotion: null, discount: { ...offer.discount, active: false } }
}

/** Returns the label of a special offer: the text of the operator's promotion, or else a general text (A3-31). */
export function specialText({ globalPromotion }: Pick<Offer, 'globalPromotion'>, t: TFunction): string {
  const words = globalPromotion?.discountDescription ?? ''
  return words === '' ? t('offers.special') : words
}

/** Returns whether an offer is special: it begins with a lower price or a free trial. */
export function isSpecial({ discount, trialDays }: Pick<Offer, 'discount' | 'trialDays'>): boolean {
  return discount.active || trialDays > 0
}

import type { Offer } from '@ondine/contract/offers'
import type { UserOffer } from '@ondine/contract/orders'
import { centsOf } from '../../../words/money.ts'

/** The payment periods (A9-05). */
export const PERIODS = ['monthly', 'yearly'] as const
export type Period = (typeof PERIODS)[number]

/** Returns the amount that is due at the purchase of an offer, in cents. */
export function dueAtFirst(
  offer: Pick<Offer, 'discount' | 'priceWithVat' | 'priceDetail' | 'trialDays'>,
): number {
  return centsOf(offer.priceDetail.setup) + (offer.trialDays > 0 ? 0 : firstCents(offer))
}

/**
 * Returns the amount, in cents, that would be due at the purchase of an offer without its introductory price. Undefined
 * if the offer has no introductory price.
 */
export function usualAtFirst({
  discount,
  priceWithVat,
  priceDetail,
  cartTrialDays,
}: Pick<UserOffer, 'discount' | 'priceWithVat' | 'priceDetail' | 'cartTrialDays'>): number | undefined {
  if (!discount.active || cartTrialDays > 0) return undefined
  return centsOf(priceDetail.setup) + centsOf(priceWithVat)
}

type Sold = Pick<
  Offer,
  'idOption' | 'offerType' | 'plan' | 'pricePeriodicity' | 'priceWithVat' | 'requires' | 'discount'
>

/** Returns the price of the first period of an offer, in cents. */
export function firstCents({ discount, priceWithVat }: Pick<Offer, 'discount' | 'priceWithVat'>): number {
  return centsOf(discount.active ? discount.discountedPriceWithVat : priceWithVat)
}

/**
 * Returns the subscriptions that a viewer can choose, the cheapest first (A9-03). The result has one offer of each
 * plan: the offer with the chosen period, or else the plan's cheapest offer.
 */
export function plansOf<Each extends Sold>(offers: readonly Each[], period: Period): Each[] {
  return onePerPlan(
    subscriptions(offers).filter(({ requires }) => requires.length === 0),
    period,
  )
}

/**
 * Returns the options that can be added to a subscription. The result has one offer of each option, chosen as in {@link
 * plansOf}.
 */
export function optionsOf<Each extends Sold>(offers: readonly Each[], period: Period): Each[] {
  return onePerPlan(
    subscriptions(offers).filter(({ requires }) => requires.length > 0),
    period,
  )
}

/** Returns whether some offers are paid by the month and others by the year. */
export function hasBothPeriods(offers: readonly Sold[]): boolean {
  const found = new Set(subscriptions(offers).map(({ pricePeriodicity }) => pricePeriodicity))
  return PERIODS.every((period) => found.has(period))
}

function subscriptions<Each extends Sold>(offers: readonly Each[]): Each[] {
  return offers.filter(({ offerType }) => offerType === 'subscription').toSorted(byPrice)
}

function onePerPlan<Each extends Sold>(offers: readonly Each[], period: Period): Each[] {
  const plans = Map.groupBy(offers, ({ plan, idOption }) => plan ?? idOption)
  return [...plans.values()]
    .flatMap((all) => all.find(({ pricePeriodicity }) => pricePeriodicity === period) ?? all[0] ?? [])
    .toSorted(byPrice)
}

function byPrice(one: Sold, other: Sold): number {
  return centsOf(one.priceWithVat) - centsOf(other.priceWithVat)
}

import { describe, expect, it } from 'vitest'
import { dueAtFirst, firstCents, hasBothPeriods, optionsOf, plansOf, usualAtFirst } from './plans.ts'

const NO_DISCOUNT = { active: false, discountedPriceWithVat: '0.00', recurringPercentage: 0, periods: 0 }
const offer = (
  idOption: number,
  priceWithVat: string,
  rest: Partial<Parameters<typeof plansOf>[0][number]> = {},
) => ({
  idOption,
  priceWithVat,
  offerType: 'subscription' as const,
  plan: null,
  pricePeriodicity: 'monthly' as const,
  requires: [],
  discount: NO_DISCOUNT,
  ...rest,
})
const ids = (offers: { idOption: number }[]) => offers.map(({ idOption }) => idOption)

const OFFERS = [
  offer(1, '12.99', { plan: 'all' }),
  offer(2, '129.90', { plan: 'all', pricePeriodicity: 'yearly' }),
  offer(3, '59.90', { plan: 'films', pricePeriodicity: 'yearly' }),
  offer(4, '5.99', { plan: 'films' }),
  offer(5, '8.99'),
  offer(6, '3.99', { requires: [4] }),
  offer(7, '2.99', { offerType: 'transactional', pricePeriodicity: null }),
]

describe('plans', () => {
  it('A9-03 A9-05 show each plan once, for the chosen period, the cheapest first', () => {
    expect(ids(plansOf(OFFERS, 'monthly'))).toEqual([4, 5, 1])
    expect(ids(plansOf(OFFERS, 'yearly'))).toEqual([5, 3, 2])
  })

  it('A2.1-09 are due with their set-up fee, at the introductory price, and for nothing during a trial', () => {
    const due = (trialDays: number, active: boolean, setup = '0.00') =>
      dueAtFirst({
        priceWithVat: '8.99',
        discount: { ...NO_DISCOUNT, active, discountedPriceWithVat: '4.49' },
        trialDays,
        priceDetail: { setup, recurring: '8.99', recurrenceUnit: 'month', recurrencePeriod: 1 },
      })
    expect([
      due(0, false),
      due(0, true),
      due(14, true),
      due(0, false, '1.50'),
      due(14, false, '1.50'),
    ]).toEqual([899, 449, 0, 1049, 150])
  })

  it('show options separately, and no rentals', () => {
    expect(ids(optionsOf(OFFERS, 'yearly'))).toEqual([6])
    expect(plansOf([], 'monthly')).toEqual([])
  })

  it('have a switch only where both periods exist', () => {
    expect(hasBothPeriods(OFFERS)).toBe(true)
    expect(hasBothPeriods(OFFERS.filter(({ pricePeriodicity }) => pricePeriodicity !== 'yearly'))).toBe(false)
    expect(hasBothPeriods([])).toBe(false)
  })
})

describe('amounts', () => {
  it('A3-19 begin with the lower price, where there is one', () => {
    expect(firstCents(offer(1, '8.99'))).toBe(899)
    const discount = { ...NO_DISCOUNT, active: true, discountedPriceWithVat: '4.49' }
    expect(firstCents(offer(1, '8.99', { discount }))).toBe(449)
  })

  it('A3-31 A2.1-23 stand in the cart with the amount due without the lower price', () => {
    const usual = (active: boolean, cartTrialDays: number, setup = '0.00') =>
      usualAtFirst({
        priceWithVat: '8.99',
        discount: { ...NO_DISCOUNT, active, discountedPriceWithVat: '4.49' },
        cartTrialDays,
        priceDetail: { setup, recurring: '8.99', recurrenceUnit: 'month', recurrencePeriod: 1 },
      })
    expect([usual(true, 0), usual(true, 0, '1.50')]).toEqual([899, 1049])
    // At the start of a trial nothing is due, so no usual price is shown either.
    expect([usual(false, 0), usual(true, 14)]).toEqual([undefined, undefined])
  })
})

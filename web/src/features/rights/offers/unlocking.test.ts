import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { describe, expect, it } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { offerChoice } from './compare-offers.ts'
import { buildOffer, buildPlan } from './offer-builder.ts'
import { cartPath, soldContent } from './offer-paths.ts'
import { sellsSingles } from './shop.ts'
import { unlockingOf } from './unlocking.ts'

const ALL = { sellsSubscriptions: true, sellsSingles: true }
const parts = {
  place: { language: 'eng', timeZone: 'Europe/Paris' },
  now: 0,
  limitHours: 8760,
  t: bundledWords('eng').t,
} as const

describe('the offers that unlock a title', () => {
  const rental = buildOffer()
  const plan = buildPlan()
  const event = buildOffer({ idOption: 3, offerType: 'ppv', rightSlot: null })
  const offers = [rental, plan, event]

  it('A4.2-01 A4.2-02 are those sold here, with subscriptions apart from the rest', () => {
    expect(unlockingOf(offers, ALL)).toEqual({ subscriptions: [plan], singles: [rental, event] })
    expect(unlockingOf(offers, { ...ALL, sellsSubscriptions: false }).subscriptions).toEqual([])
    expect(unlockingOf(offers, { ...ALL, sellsSingles: false }).singles).toEqual([])
    expect(unlockingOf([], ALL)).toEqual({ subscriptions: [], singles: [] })
  })

  it('A2.3-13 leave out the offers that the account has already', () => {
    expect(unlockingOf([buildPlan({ userValidityActive: true }), rental], ALL)).toEqual({
      subscriptions: [],
      singles: [rental],
    })
  })

  it.each([
    ['enabled', false, false, true],
    ['enabled', true, false, false],
    ['enabled', true, true, true],
    ['disabled', false, false, false],
    ['cleeng-type', false, false, false],
  ] as const)(
    'A4.2-02 A4.8-12 rentals that are %s, in a native app %s with mobilePayment %s: %s',
    (transactional, native, mobilePayment, sells) => {
      const configuration = { offers: { ...DEFAULT_CONFIGURATION.offers, transactional, mobilePayment } }
      expect(sellsSingles(configuration, native)).toBe(sells)
    },
  )

  it('A2.1-23 are bought for the title or the channel that they open', () => {
    expect(soldContent({ contentId: 7 })).toEqual({ contentId: 7, contentType: 'VOD_ASSET' })
    expect(soldContent({ contentType: 'CHANNEL' })).toBeUndefined()
    expect(cartPath({ offerIds: [3], contentId: 7, contentType: 'CHANNEL' })).toBe(
      '/offers/cart?offerId=3&contentId=7&contentType=CHANNEL',
    )
  })
})

describe('the comparison sheet', () => {
  it('A3-21 shows a plan’s benefits, and its monthly price', () => {
    expect(offerChoice(buildPlan(), parts)).toEqual({
      idOption: 2,
      title: 'Cinéma',
      description: 'Sans publicité\nDeux écrans',
      price: '€5.99 a month',
    })
    expect(offerChoice(buildPlan({ advantages: [] }), parts).description).toBe('Tous les films.')
  })

  it('A3-19 shows the price after a special offer', () => {
    const discount = {
      active: true,
      discountedPriceWithVat: '2.99',
      recurringPercentage: 50,
      periods: 3,
    }
    expect(offerChoice(buildPlan({ discount }), parts)).toMatchObject({
      description: 'Sans publicité\nDeux écrans\nFor 3 months, then €5.99',
      price: '€2.99 a month',
      before: { amount: '€5.99', label: 'Usual price:' },
    })
    expect(offerChoice(buildPlan({ trialDays: 14 }), parts).description).toContain(
      'The first 14 days are free.',
    )
  })

  it('A3-24 A9-02 shows how long a rental lasts', () => {
    expect(offerChoice(buildOffer(), parts)).toEqual({
      idOption: 1,
      title: 'Location',
      description: '48 hours to watch, from the first play',
      price: '€3.99',
    })
  })
})

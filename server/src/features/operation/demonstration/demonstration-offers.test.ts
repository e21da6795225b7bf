import { availableOffers, type Offer } from '@ondine/contract/offers'
import { addOptions } from '@ondine/contract/orders'
import { redeemGift, validateVoucher } from '@ondine/contract/vouchers'
import { describe, expect, it } from 'vitest'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON, type Tokens } from '../../../../test/service.ts'
import { makeSoldTitles } from '../../../../test/sold-titles.ts'
import { ensureDemonstrationAccounts } from './demonstration-accounts.ts'
import { sellDemonstration } from './demonstration-offers.ts'
import { promoteDemonstration } from './demonstration-promotion.ts'
import { ensureDemonstrationStorefronts } from './demonstration-storefronts.ts'

describe.each(MAIN_DB)('offers of the demonstration, on a database of kind %s', (kind) => {
  const scene = testScene(kind)
  const offersOf = async (offerType: Offer['offerType'], tokens?: Tokens): Promise<Offer[]> =>
    (await scene.service.call(availableOffers, { offerType, contentType: 'VOD_ASSET' }, tokens)).result
  const plansOf = (offers: Offer[]) => [...new Set(offers.map(({ plan }) => plan))]

  it('A9-05 sells three plans, each monthly and yearly, and an option; then its titles as they arrive', async () => {
    const { service } = scene
    const { context } = service
    await ensureDemonstrationAccounts(context, context.storefronts.list())
    await sellDemonstration(context)
    const offers = await offersOf('subscription')
    expect(plansOf(offers)).toEqual([null, 'cinema', 'cinema-series', 'everything'])
    for (const plan of ['cinema', 'cinema-series', 'everything'])
      expect(
        offers.filter((offer) => offer.plan === plan).map(({ pricePeriodicity }) => pricePeriodicity),
      ).toEqual(['monthly', 'yearly'])
    expect(offers.filter(({ discount, trialDays }) => discount.active || trialDays > 0)).toHaveLength(2)
    expect(
      offers.every(({ advantages, legalCopy, specialConditions }) =>
        [advantages, legalCopy, specialConditions].every((each) => each.length > 0),
      ),
    ).toBe(true)
    expect(await offersOf('transactional')).toEqual([])

    await makeSoldTitles(scene)
    await sellDemonstration(context)
    await sellDemonstration(context)
    expect((await offersOf('transactional')).map(({ priceWithVat }) => priceWithVat)).toEqual([
      '2.99',
      '3.99',
      '6.99',
    ])
    expect(await offersOf('subscription')).toEqual(offers)
  })

  it('A9-05 sells an event separately until it is over', async () => {
    const { service, make } = scene
    const { context } = service
    // The test's clock is on a Thursday. The event ends on Saturday evening.
    const endsAt = Date.UTC(2026, 0, 17, 21)
    await make.asset('Interférences', { startsAt: endsAt - 7_200_000, endsAt, inPackages: ['films'] })
    await sellDemonstration(context)
    const sold = async () => (await offersOf('ppv')).map(({ title, priceWithVat }) => [title, priceWithVat])
    expect(await sold()).toEqual([['Le concert en direct', '4.90']])
    service.clock.set(endsAt)
    expect(await sold()).toEqual([])
    service.clock.set(NOON)
  })

  describe('the promotion', () => {
    const DEMO = { 'x-identity-key': 'demo' }
    const yearly = async (languageId: 'fra' | 'eng') => {
      const wish = { offerType: 'subscription', contentType: 'VOD_ASSET', languageId } as const
      const { result } = await scene.service.call(availableOffers, wish, DEMO)
      return result.filter(({ globalPromotion }) => globalPromotion !== null)
    }
    const start = async () => {
      const { context } = scene.service
      const all = await ensureDemonstrationStorefronts(context)
      await ensureDemonstrationAccounts(context, all)
      await sellDemonstration(context)
      await promoteDemonstration(context)
    }
    const stored = () => {
      const { configurations, storefronts } = scene.service.context
      const id = storefronts.of('demo')?.id ?? 0
      return { id, ...configurations.stored(id) }
    }

    it('A3-31 A9-05 lowers the first year of one plan, and announces this in both languages', async () => {
      await scene.service.context.storefronts.create({ apiKey: 'demo', name: 'Ondine', demonstration: true })
      await start()
      const [plan, ...others] = await yearly('fra')
      expect(others).toEqual([])
      expect(plan).toMatchObject({
        title: 'Cinéma et séries',
        priceWithVat: '89.90',
        pricePeriodicity: 'yearly',
        globalPromotion: {
          discountedPrice: '69.90',
          discountPeriods: 1,
          discountDescription: 'Offre de lancement',
        },
      })
      expect((await yearly('eng'))[0]?.globalPromotion?.discountDescription).toBe('Launch offer')
    })

    it('A3-31 is set once, and is not set again after an operator has removed it', async () => {
      await start()
      const { id, revision } = stored()
      expect(revision).toBe(2)
      const taken = { path: 'offers.globalPromotion.discountEnabled', value: false }
      await scene.service.context.configurations.change(id, revision, [taken], { author: 'x', reason: '' })
      await start()
      expect(await yearly('fra')).toEqual([])
    })
  })

  it('A3-30 has a percentage voucher, an amount voucher and a gift', async () => {
    const { service, actor } = scene
    await sellDemonstration(service.context)
    const [cinema] = (await offersOf('subscription')).filter(({ priceWithVat }) => priceWithVat === '5.99')
    await service.call(addOptions, { optionIds: [cinema?.idOption ?? 0] }, actor.tokens)
    const taken = async (voucherCode: string) =>
      (await service.call(validateVoucher, { voucherCode }, actor.tokens)).result.promotions
    expect(await taken('ONDINE-20')).toMatchObject([
      { discountType: 'percentage', discountValue: '20.00', discountedPrice: '4.79' },
    ])
    expect(await taken('maree 2')).toMatchObject([
      { discountType: 'fixed', discountValue: '2.00', discountedPrice: '3.99' },
    ])
    expect(
      (await service.call(redeemGift, { voucherCode: 'CADEAU-ONDINE' }, actor.tokens)).result,
    ).toMatchObject({
      title: 'Cinéma',
      months: 2,
    })
  })
})

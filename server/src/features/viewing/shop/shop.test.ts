import { assets as readAssets } from '@ondine/contract/catalogue'
import type { ConfigurationDocument } from '@ondine/contract/configuration'
import { availableOffers, listOffers, type Offer, withdrawOffer } from '@ondine/contract/offers'
import { channelStream, getVodLicense, readAsset, testAsset } from '@ondine/contract/playback'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, type Tokens } from '../../../../test/service.ts'
import { shopScene } from '../../../../test/shop-scene.ts'

const LANGUAGES = { idAudioLang: 'fra', idSubtitleLang: 'non' }

describe.each(MAIN_DB)('the shop, on a database of kind %s', (kind) => {
  const { scene, operator, viewer, ids, take, offersOf, idOf } = shopScene(kind)

  it('A7.1-23 A3-17 A3-18 A3-19 A3-22 A3-23 a subscription has its fields', async () => {
    const all = await offersOf({ offerType: 'subscription' })
    expect(
      all.find(({ plan, pricePeriodicity }) => plan === 'cinema' && pricePeriodicity === 'monthly'),
    ).toMatchObject({
      idOption: await idOf('cinema-monthly'),
      offerType: 'subscription',
      title: 'Cinéma',
      titleImage: 'https://example.org/c.png',
      description: 'Tous les films\u00A0: partout.',
      advantages: ['Sans publicité', 'Sur deux écrans'],
      legalCopy: 'Sans engagement.',
      specialConditions: ['Deux écrans.', 'Sans engagement.'],
      priceWithVat: '8.99',
      priceDetail: { setup: '1.00', recurring: '8.99', recurrenceUnit: 'month', recurrencePeriod: 1 },
      discount: { active: true, discountedPriceWithVat: '4.49', recurringPercentage: 50, periods: 3 },
      trialDays: 14,
      userValidityActive: false,
      downloadContent: true,
      validFrom: null,
      validTo: null,
      externalId: [
        { store: 'apple', id: 'tv.cinema' },
        { store: 'google', id: 'cinema_monthly' },
      ],
      idAsset: null,
    })
    expect(all.find(({ pricePeriodicity }) => pricePeriodicity === 'yearly')?.discount.active).toBe(false)
  })

  it('A9-03 A3-25 lists offers, the cheapest first, of the requested type', async () => {
    const pricesOf = (all: Offer[]) => all.map(({ priceWithVat }) => priceWithVat)
    expect(pricesOf(await offersOf())).toEqual(['1.50', '2.00', '3.99', '5.00', '6.99', '8.99', '89.90'])
    expect(pricesOf(await offersOf({ offerType: 'transactional' }))).toEqual(['3.99', '6.99'])
    expect(pricesOf(await offersOf({ offerType: 'ppv' }))).toEqual(['1.50', '5.00'])
  })

  it('A3-24 a rental names its title, and how long the title can be watched', async () => {
    expect(await offersOf({ contentId: ids.encre })).toMatchObject([
      {
        offerType: 'transactional',
        title: 'Location',
        priceWithVat: '3.99',
        pricePeriodicity: null,
        rightSlot: 48 * 3600,
        idAsset: ids.encre,
        nameAsset: 'Encre',
        startAsset: null,
        endAsset: null,
      },
    ])
  })

  it('A3-24 the offer of an event names its start and its end', async () => {
    expect(await offersOf({ contentId: ids.regatta })).toMatchObject([
      { offerType: 'ppv', startAsset: NOON / 1000 + 86_400, endAsset: NOON / 1000 + 2 * 86_400 },
    ])
  })

  it('A3-24 A2.1-36 an offer for one event, channel or season names it in the list of all offers', async () => {
    const all = await offersOf()
    const named = await Promise.all(
      ['regatta', 'channel-day', 'season-rental', 'recent-rental', 'cinema-monthly'].map(async (key) => {
        const id = await idOf(key)
        const { idAsset, objectIds } = all.find(({ idOption }) => idOption === id) ?? {}
        return [idAsset, objectIds?.channel, objectIds?.season]
      }),
    )
    expect(named).toEqual([
      [ids.regatta, [], []],
      [null, [ids.channel], []],
      [null, [], [expect.any(Number)]],
      [null, [], []],
      [null, [], []],
    ])
  })

  it('content lists the offers that open it; content without an offer lists none', async () => {
    const { result: all } = await scene.service.call(listOffers, {}, operator)
    const soldWith = async (contentId: number, contentType: 'VOD_ASSET' | 'CHANNEL' = 'VOD_ASSET') => {
      const found = await offersOf({ contentId, contentType })
      return found.map(({ idOption }) => all.find((each) => each.idOption === idOption)?.key)
    }
    expect(await soldWith(ids.houle)).toEqual(['ultra', 'cinema-monthly', 'cinema-yearly'])
    expect(await soldWith(ids.episode)).toEqual(['ultra', 'season-rental', 'cinema-monthly', 'cinema-yearly'])
    expect(await soldWith(ids.regatta)).toEqual(['regatta'])
    expect(await soldWith(ids.channel, 'CHANNEL')).toEqual([
      'channel-day',
      'ultra',
      'cinema-monthly',
      'cinema-yearly',
    ])
    expect(await soldWith(ids.free)).toEqual([])
    expect(await soldWith(999_999)).toEqual([])
  })

  it.each([
    [{}, ['1.50', '2.00', '3.99', '5.00', '6.99', '8.99', '89.90']],
    [{ subscription: 'cleeng-type' }, ['1.50', '3.99', '5.00', '6.99', '89.90']],
    [{ transactional: 'cleeng-type' }, ['2.00', '8.99', '89.90']],
    [{ subscription: 'cleeng-type', transactional: 'cleeng-type' }, ['89.90']],
    // Offers need no id at the subscription service if the operator sells them in its own shop.
    [{ subscription: 'external' }, ['1.50', '2.00', '3.99', '5.00', '6.99', '8.99', '89.90']],
  ] as const)(
    'A4.2-02 A5-31 with %j only what the third-party service sells is listed',
    async (offers, prices) => {
      const { configurations, storefronts } = scene.service.context
      const { id } = storefronts.first()
      const configure = async (document: ConfigurationDocument) => {
        const { revision } = configurations.stored(id)
        await configurations
          .document(id)
          .replace(revision, { ...document }, { author: 'test', reason: 'test' })
      }
      await configure({ offers })
      try {
        for (const tokens of [undefined, viewer.tokens])
          expect((await offersOf({}, tokens)).map(({ priceWithVat }) => priceWithVat)).toEqual(prices)
      } finally {
        await configure({})
      }
    },
  )

  const linkedOf = async (id: number, tokens?: Tokens) => {
    const { result } = await scene.service.call(readAssets, { assetIds: [id] }, tokens)
    return [result[0]?.linkedOffers, result[0]?.linkedTransactionalOffers, result[0]?.rentalPrice] as const
  }

  it('V3-08 A6-03 a title names its offers, the cheapest first, and none for a child', async () => {
    const all = await Promise.all(['ultra', 'cinema-monthly', 'cinema-yearly'].map(idOf))
    expect(await linkedOf(ids.houle)).toEqual([all, [], null])
    expect(await linkedOf(ids.episode)).toEqual([all, [await idOf('season-rental')], '6.99'])
    expect(await linkedOf(ids.encre, viewer.tokens)).toEqual([[], [await idOf('recent-rental')], '3.99'])
    expect(await linkedOf(ids.regatta)).toEqual([[], [await idOf('regatta')], '5.00'])
    expect(await linkedOf(ids.free)).toEqual([[], [], null])
    const child = await scene.make.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    expect(await linkedOf(ids.encre, child.tokens)).toEqual([[], [], null])
  })

  it('V3-18 a title that is sold no longer plays for everybody; other titles still do', async () => {
    const play = async (idAsset: number) =>
      (await scene.service.call(testAsset, { idAsset, ...LANGUAGES }, viewer.tokens)).status
    expect(await play(ids.free)).toBe(200)
    for (const id of [ids.houle, ids.encre, ids.episode]) expect(await play(id)).toBe(403)
  })

  it('V3-18 A6-03 a refused play names the offers that open the content, and none to a child', async () => {
    const { call } = scene.service
    const titled = async (contentId: number, contentType: 'VOD_ASSET' | 'CHANNEL' = 'VOD_ASSET') =>
      (await offersOf({ contentId, contentType })).map(({ idOption, title }) => ({ idOption, title }))
    const playAll = async ({ tokens }: Actor) => {
      const asset = { idAsset: ids.episode, ...LANGUAGES }
      const answers = await Promise.all([
        call(testAsset, asset, tokens),
        call(readAsset, { ...asset, format: 'dash' }, tokens),
        call(getVodLicense, asset, tokens),
        call(channelStream, { idChannel: ids.channel, format: 'dash' }, tokens),
      ])
      return answers.map(({ error: { code, details } }) => [code, details?.offers])
    }
    const [ofEpisode, ofChannel] = [await titled(ids.episode), await titled(ids.channel, 'CHANNEL')]
    expect(ofEpisode.map(({ title }) => title)).toEqual(['Ultra HD', 'La saison entière', 'Cinéma', 'Cinéma'])
    const refusals = (asset: unknown, channel: unknown) => [
      ...Array.from({ length: 3 }, () => [-11, asset]),
      [-1721, channel],
    ]
    expect(await playAll(viewer)).toEqual(refusals(ofEpisode, ofChannel))
    const child = await scene.make.actor({ profile: { kid: true, maximumMoralityLevel: 6 } })
    expect(await playAll(child)).toEqual(refusals(undefined, undefined))
    const suspended = await scene.make.actor({ status: 'SUSPENDED' })
    expect(await playAll(suspended)).toEqual(Array.from({ length: 4 }, () => [-2409, undefined]))
  })

  it('an episode imported later is in the packages of its series', async () => {
    const later = await scene.make.asset('La trame', {
      kind: 'episode',
      serieId: ids.series,
      episodeNumber: 2,
    })
    const { result } = await scene.service.call(readAssets, { assetIds: [later.id] }, viewer.tokens)
    expect(result).toMatchObject([{ isIncludedInUserOffers: false }])
    expect(result[0]?.packageIds).toHaveLength(1)
  })

  it('A2.3-13 an account with the packages of a subscription counts as subscribed', async () => {
    const holder = await scene.make.actor({ packages: { cinema: {} } })
    const held = async (tokens?: Tokens) =>
      (await offersOf({ offerType: 'subscription' }, tokens)).map(
        ({ userValidityActive }) => userValidityActive,
      )
    expect(await held(holder.tokens)).toEqual([true, true, true])
    expect(await held(viewer.tokens)).toEqual([false, false, false])
  })

  it('A6-03 nothing is sold to a suspended account, nor to a child', async () => {
    const suspended = await scene.make.actor({ status: 'SUSPENDED' })
    const refused = await scene.service.call(availableOffers, { contentType: 'VOD_ASSET' }, suspended.tokens)
    expect(refused.error.code).toBe(-2409)
    const child = await scene.make.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    expect(await offersOf({}, child.tokens)).toEqual([])
  })

  it('A3-18 an offer is on sale from its start to its end, unless it is withdrawn', async () => {
    const file = (from: string, to: string) => `
offers:
  - { key: summer, type: subscription, name: { fra: Été }, price: "1.00", every: 3 months, packages: [cinema],
      validFrom: "${from}", validTo: "${to}" }`
    await take(file('2026-01-16', '2026-01-20'))
    const isSold = async () => (await offersOf()).some(({ title }) => title === 'Été')
    const at = async (moment: number) => {
      scene.service.clock.set(moment)
      return await Promise.all([isSold(), linkedOf(ids.houle)]).finally(() => scene.service.clock.set(NOON))
    }
    const begin = Date.UTC(2026, 0, 16)
    const end = Date.UTC(2026, 0, 20)
    const times = [begin - 1, begin, end - 1, end]
    const sold: boolean[] = []
    const linked: boolean[] = []
    for (const time of times) {
      const [isOffered, [subscriptions = []]] = await at(time)
      sold.push(isOffered)
      linked.push(subscriptions.includes(await idOf('summer')))
    }
    expect(sold).toEqual([false, true, true, false])
    expect(linked).toEqual(sold)
    await take(file('2026-01-01', '2026-02-01'))
    expect(await isSold()).toBe(true)
    const { result } = await scene.service.call(withdrawOffer, { key: 'summer' }, operator)
    expect(result).toMatchObject({ isOnSale: false, withdrawnAt: NOON / 1000, revision: 2 })
    expect(await isSold()).toBe(false)
    expect(await linkedOf(ids.houle)).not.toContainEqual(expect.arrayContaining([await idOf('summer')]))
    // A repeated import puts the offer on sale again, with the same texts.
    expect((await take(file('2026-01-01', '2026-02-01'))).result.changed).toEqual(['summer'])
    expect(await isSold()).toBe(true)
  })
})

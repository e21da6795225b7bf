import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assets as readAssets } from '@ondine/contract/catalogue'
import type { ConfigurationDocument } from '@ondine/contract/configuration'
import {
  availableOffers,
  importOffers,
  listOffers,
  type Offer,
  readOffer,
  withdrawOffer,
} from '@ondine/contract/offers'
import { testAsset } from '@ondine/contract/playback'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../test/builders.ts'
import { runCommand } from '../../../test/commands.ts'
import { testScene } from '../../../test/scene.ts'
import { DATABASES, NOON, type Tokens } from '../../../test/service.ts'
import { categories } from '../catalogue/catalogue.table.ts'

const DAY = 86_400_000
const LANGUAGES = { idAudioLang: 'fra', idSubtitleLang: 'non' }

const PACKAGES = `
packages:
  - key: cinema
    name: { fra: Cinéma, eng: Cinema }
    titles: [La Houle, Le Métier]
    channels: [7]
  - key: recent
    name: { fra: Nouveautés }
    titles: [Encre]
`
const OFFERS = `
offers:
  - key: cinema-monthly
    type: subscription
    name: { fra: "![](https://example.org/c.png) **Cinéma**", eng: Cinema }
    synopsis:
      fra: |
        Tous les films : partout.
        ---
        * Sans publicité
        * Sur deux écrans
        ---
        Sans engagement.
      eng: Every film.
    conditions: { fra: "Deux écrans.\\nSans engagement." }
    price: "8.99"
    every: month
    setup: "1"
    trialDays: 14
    introduction: { price: "4.49", periods: 3 }
    plan: cinema
    packages: [cinema]
    downloads: true
    externalIds: { apple: tv.cinema, google: cinema_monthly }
  - key: cinema-yearly
    type: subscription
    name: { fra: Cinéma, eng: Cinema }
    price: "89.90"
    every: 12 months
    plan: cinema
    packages: [cinema]
    excludes: [cinema-monthly]
    externalIds: { cleeng-type: S10_FR }
  - key: ultra
    type: subscription
    name: { fra: Ultra HD }
    price: "2.00"
    every: month
    packages: [cinema]
    externalIds: { cleeng-type: " " }
    requires: [cinema-monthly, cinema-yearly]
  - key: recent-rental
    type: transactional
    name: { fra: Location, eng: Rental }
    price: "3.99"
    class: recent
    externalIds: { cleeng-type: P3_FR }
  - key: season-rental
    type: transactional
    name: { fra: La saison entière }
    price: "6.99"
    season: { series: Le Métier, number: 1 }
    hours: 168
  - key: regatta
    type: ppv
    name: { fra: La régate en direct }
    price: "5.00"
    event: La régate
  - key: channel-day
    type: ppv
    name: { fra: La chaîne pour un jour }
    price: "1.50"
    channel: 7
    hours: 24
`

describe.each(DATABASES)('what is sold, on a database of kind %s', (kind) => {
  const scene = testScene(kind)
  let operator: Tokens
  let viewer: Actor
  let ids: {
    houle: number
    encre: number
    free: number
    regatta: number
    episode: number
    series: number
    channel: number
  }

  const take = async (file: string) => await scene.service.call(importOffers, { file }, operator)
  const faultsOf = async (file: string) => {
    const { error } = await take(file)
    return (error.details?.fields ?? []).map(({ message }) => message)
  }
  const offersOf = async (
    wish: Partial<{
      offerType: Offer['offerType']
      contentId: number
      contentType: 'VOD_ASSET' | 'CHANNEL'
    }> = {},
    tokens?: Tokens,
  ): Promise<Offer[]> =>
    (await scene.service.call(availableOffers, { contentType: 'VOD_ASSET', ...wish }, tokens)).result
  const keysOf = async () => (await scene.service.call(listOffers, {}, operator)).result.map(({ key }) => key)
  const idOf = async (key: string) => (await scene.service.call(readOffer, { key }, operator)).result.idOption

  beforeAll(async () => {
    const { make, service } = scene
    operator = (await make.operator()).tokens
    viewer = await make.actor()
    const series = await make.series('Le Métier')
    const [season] = await service.context.db
      .insert(categories)
      .values({
        kind: 'season',
        sourceKey: 'Le Métier/1',
        parentId: series.id,
        names: { fra: 'Saison 1' },
        seasonNumber: 1,
      })
      .returning()
    const episode = await make.asset('La chaîne', {
      kind: 'episode',
      serieId: series.id,
      seasonId: season!.id,
      seasonNumber: 1,
      episodeNumber: 1,
    })
    ids = {
      houle: (await make.asset('La Houle', { titles: { fra: 'La Houle', eng: 'The Swell' } })).id,
      encre: (await make.asset('Encre')).id,
      free: (await make.asset('Sables')).id,
      regatta: (await make.asset('La régate', { startsAt: NOON + DAY, endsAt: NOON + 2 * DAY })).id,
      episode: episode.id,
      series: series.id,
      channel: (await make.channel('Rive', { kind: 'sequence', titles: ['La Houle'] }, { number: 7 })).id,
    }
    const { result } = await take(PACKAGES + OFFERS)
    expect(result.added).toHaveLength(7)
  })

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

  it('A9-03 A3-25 offers come the cheapest first, and of the type that is asked for', async () => {
    const pricesOf = (all: Offer[]) => all.map(({ priceWithVat }) => priceWithVat)
    expect(pricesOf(await offersOf())).toEqual(['1.50', '2.00', '3.99', '5.00', '6.99', '8.99', '89.90'])
    expect(pricesOf(await offersOf({ offerType: 'transactional' }))).toEqual(['3.99', '6.99'])
    expect(pricesOf(await offersOf({ offerType: 'ppv' }))).toEqual(['1.50', '5.00'])
  })

  it('A3-24 a rental says of which title it is, and how long that may be watched', async () => {
    expect(await offersOf({ contentId: ids.encre })).toMatchObject([
      {
        offerType: 'transactional',
        title: 'Location',
        priceWithVat: '3.99',
        pricePeriodicity: null,
        rightSlot: 48 * 3600,
        idAsset: ids.encre,
        nameAsset: 'Encre',
      },
    ])
  })

  it('a content is sold with what opens it, and what nobody sells with nothing', async () => {
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
    // What is sold at the operator's own shop needs no id.
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

  it('V3-08 A6-03 a title names what it is sold with, in the order of price; to a child nothing', async () => {
    const all = await Promise.all(['ultra', 'cinema-monthly', 'cinema-yearly'].map(idOf))
    expect(await linkedOf(ids.houle)).toEqual([all, [], null])
    expect(await linkedOf(ids.episode)).toEqual([all, [await idOf('season-rental')], '6.99'])
    expect(await linkedOf(ids.encre, viewer.tokens)).toEqual([[], [await idOf('recent-rental')], '3.99'])
    expect(await linkedOf(ids.regatta)).toEqual([[], [await idOf('regatta')], '5.00'])
    expect(await linkedOf(ids.free)).toEqual([[], [], null])
    const child = await scene.make.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    expect(await linkedOf(ids.encre, child.tokens)).toEqual([[], [], null])
  })

  it('V3-18 what is sold plays no longer for everybody, and what is not sold still does', async () => {
    const play = async (idAsset: number) =>
      (await scene.service.call(testAsset, { idAsset, ...LANGUAGES }, viewer.tokens)).status
    expect(await play(ids.free)).toBe(200)
    for (const id of [ids.houle, ids.encre, ids.episode]) expect(await play(id)).toBe(403)
  })

  it('an episode that comes later is in the packages of its series', async () => {
    const later = await scene.make.asset('La trame', {
      kind: 'episode',
      serieId: ids.series,
      episodeNumber: 2,
    })
    const { result } = await scene.service.call(readAssets, { assetIds: [later.id] }, viewer.tokens)
    expect(result).toMatchObject([{ isIncludedInUserOffers: false }])
    expect(result[0]?.packageIds).toHaveLength(1)
  })

  it('A2.3-13 who holds the packages of a subscription has it', async () => {
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

  it('a new price is a new revision, and what was said before is kept', async () => {
    const cheaper = (PACKAGES + OFFERS).replace('price: "3.99"', 'price: "2.99"')
    expect((await take(cheaper)).result).toMatchObject({ added: [], changed: ['recent-rental'] })
    const { result } = await scene.service.call(readOffer, { key: 'recent-rental' }, operator)
    expect(result).toMatchObject({ priceWithVat: '2.99', revision: 2 })
    expect(result.revisions.map(({ revision, terms }) => [revision, terms.cents])).toEqual([
      [2, 299],
      [1, 399],
    ])
    expect((await take(cheaper)).result).toMatchObject({ added: [], changed: [] })
    expect((await offersOf({ contentId: ids.encre }))[0]?.priceWithVat).toBe('2.99')
  })

  it('A3-18 an offer is on sale from its beginning to its end, and not once it is withdrawn', async () => {
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
    // Importing it again sells it again, with the same words.
    expect((await take(file('2026-01-01', '2026-02-01'))).result.changed).toEqual(['summer'])
    expect(await isSold()).toBe(true)
  })

  it('the commands do the same', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ondine-offers-'))
    try {
      const path = join(folder, 'offers.yaml')
      await writeFile(
        path,
        'offers:\n  - { key: typed, type: subscription, name: { fra: Tapée }, price: "1.00", every: week, packages: [cinema] }\n',
      )
      expect(await runCommand(scene.service, 'offers import', [path])).toBe('added: typed')
      expect(await runCommand(scene.service, 'offers list')).toContain(
        'typed  Tapée  1.00 EUR  subscription, on sale, revision 1',
      )
      expect(await runCommand(scene.service, 'offers show', ['typed'])).toContain('1.00 EUR')
      await runCommand(scene.service, 'offers withdraw', ['typed'])
      expect(await runCommand(scene.service, 'offers list')).toContain('subscription, withdrawn, revision 1')
      await writeFile(path, 'offers:\n  - { key: typed, type: ppv }\n')
      await expect(runCommand(scene.service, 'offers import', [path])).rejects.toThrow(
        /nothing was changed.\n {2}line 2: /,
      )
      await expect(runCommand(scene.service, 'offers show', ['nothing'])).rejects.toThrow(
        /There is no offer nothing/,
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  const plan = (more: string) =>
    `offers:\n  - key: wrong\n    type: subscription\n    name: { fra: A }\n    every: month\n    packages: [cinema]\n${more}`
  it.each([
    [
      'a price that is a number',
      plan('    price: 8.99'),
      /^line 7: offers.0.price must be an amount in quotation/,
    ],
    ['a price below nothing', plan('    price: "-1"'), /^line 7: offers.0.price must be an amount/],
    ['a price with parts of a cent', plan('    price: "1.999"'), /^line 7: offers.0.price must be an amount/],
    ['a huge price', plan('    price: "99999999"'), /^line 7: offers.0.price must be an amount/],
    ['no price', plan(''), /^line 2: offers.0.price must be an amount/],
    [
      'a field that does not exist',
      plan('    price: "1"\n    colour: red'),
      /^line 8: offers.0.colour is not known/,
    ],
    [
      'a package that is not there',
      plan('    price: "1"').replace('[cinema]', '[nothing]'),
      /^line 6: offers.0.packages.0 names no package: nothing/,
    ],
    [
      'a time that is none',
      plan('    price: "1"').replace('month', 'never'),
      /^line 5: offers.0.every must be a time/,
    ],
    [
      'an end before the beginning',
      plan('    price: "1"\n    validFrom: "2026-02-01"\n    validTo: "2026-01-01"'),
      /^line 9: offers.0.validTo must be later/,
    ],
    [
      'an introduction that costs more',
      plan('    price: "1"\n    introduction: { price: "2", periods: 1 }'),
      /^line 8: offers.0.introduction.price must be lower/,
    ],
    [
      'itself as what it requires',
      plan('    price: "1"\n    requires: [wrong]'),
      /^line 8: offers.0.requires must not name the offer itself/,
    ],
    [
      'an unknown offer as what it excludes',
      plan('    price: "1"\n    excludes: [nothing]'),
      /^line 8: offers.0.excludes.0 names no subscription/,
    ],
    [
      'another type than it had',
      'offers:\n  - { key: ultra, type: ppv, name: { fra: A }, price: "1", event: La régate }',
      /^line 2: offers.0.type cannot change: ultra is of type subscription/,
    ],
    [
      'a rental of nothing',
      'offers:\n  - { key: r, type: transactional, name: { fra: A }, price: "1" }',
      /^line 2: offers.0.type must have one of titles, class, season/,
    ],
    [
      'a rental of two things',
      'offers:\n  - { key: r, type: transactional, name: { fra: A }, price: "1", class: recent, titles: [Encre] }',
      /must have one of/,
    ],
    [
      'a title that is not there',
      'offers:\n  - { key: r, type: transactional, name: { fra: A }, price: "1",\n      titles: [Encre, Rien] }',
      /^line 3: offers.0.titles.1 names no title: Rien/,
    ],
    [
      'a season that is not there',
      'offers:\n  - { key: r, type: transactional, name: { fra: A }, price: "1",\n      season: { series: Le Métier, number: 9 } }',
      /^line 3: offers.0.season.number names no season/,
    ],
    [
      'a channel without hours',
      'offers:\n  - { key: r, type: ppv, name: { fra: A }, price: "1", channel: 7 }',
      /hours must be given for a channel/,
    ],
    [
      'a channel that is not there',
      'packages:\n  - { key: p, name: { fra: A },\n      channels: [99] }',
      /^line 3: packages.0.channels.0 names no channel: 99/,
    ],
    [
      'a key twice',
      'packages:\n  - { key: p, name: { fra: A } }\n  - { key: p, name: { fra: B } }',
      /^line 3: packages.1.key stands twice: p/,
    ],
    ['another file', '{ "a": 1 ]', /^line 1: YAML/],
    ['no mapping', '- a', /^line 1: the file is no list of names and values/],
    ['aliases', 'offers: &a []\npackages: *a', /alias/i],
    [
      'a character that no database takes',
      'packages:\n  - { key: p, name: { fra: "a\\0b" } }',
      /cannot be kept/,
    ],
  ])('a file with %s changes nothing, and says where', async (_what, file, reason) => {
    const before = await keysOf()
    const faults = await faultsOf(`${file}\n`)
    expect(faults.join('\n')).toMatch(reason)
    expect(await keysOf()).toEqual(before)
  })

  it('one fault at the end of a file keeps everything before it from being taken', async () => {
    const file = `packages:
  - { key: cinema, name: { fra: Autre } }
offers:
  - { key: good, type: subscription, name: { fra: Bonne }, price: "1", every: month, packages: [cinema] }
  - { key: bad, type: subscription, name: { fra: Mauvaise }, price: "1", every: month, packages: [nothing] }
`
    expect(await faultsOf(file)).toEqual(['line 5: offers.1.packages.0 names no package: nothing'])
    expect(await keysOf()).not.toContain('good')
    // The package still holds what it held.
    expect((await offersOf({ contentId: ids.houle })).length).toBeGreaterThan(0)
  })

  it('two titles of one name have to be told apart', async () => {
    await scene.make.asset('Jumeaux')
    await scene.make.asset('Jumeaux')
    expect(await faultsOf('packages:\n  - { key: p, name: { fra: A }, titles: [Jumeaux] }\n')).toEqual([
      'line 2: packages.0.titles.0 names 2 titles: Jumeaux',
    ])
  })
})

import { availableOffers, importOffers, listOffers, type Offer, readOffer } from '@ondine/contract/offers'
import { beforeAll, expect } from 'vitest'
import type { Actor } from './builders.ts'
import { testScene } from './scene.ts'
import { type DatabaseKind, NOON, type Tokens } from './service.ts'

const DAY_MS = 86_400_000

/** Packages of the imported file. */
export const PACKAGES = `
packages:
  - key: cinema
    name: { fra: Cinéma, eng: Cinema }
    titles: [La Houle, Le Métier]
    channels: [7]
  - key: recent
    name: { fra: Nouveautés }
    titles: [Encre]
`
/** Offers of the imported file. */
export const OFFERS = `
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

/** Ids of the titles that the offers contain. */
interface ShopContent {
  houle: number
  encre: number
  /** A title that no offer contains. */
  free: number
  regatta: number
  episode: number
  series: number
  channel: number
}

/** Creates a service that has imported packages and offers from a file, for the tests of a `describe` block. */
export function shopScene(kind: DatabaseKind) {
  const scene = testScene(kind)
  // Filled in before the first test.
  const operator: Tokens = {}
  const viewer = {} as Actor
  const ids = {} as ShopContent

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
    const { make } = scene
    Object.assign(operator, (await make.operator()).tokens)
    Object.assign(viewer, await make.actor())
    const series = await make.series('Le Métier')
    const episode = await make.asset('La chaîne', await make.firstEpisodeOf(series))
    Object.assign(ids, {
      houle: (await make.asset('La Houle', { titles: { fra: 'La Houle', eng: 'The Swell' } })).id,
      encre: (await make.asset('Encre')).id,
      free: (await make.asset('Sables')).id,
      regatta: (await make.asset('La régate', { startsAt: NOON + DAY_MS, endsAt: NOON + 2 * DAY_MS })).id,
      episode: episode.id,
      series: series.id,
      channel: (await make.channel('Rive', { kind: 'sequence', titles: ['La Houle'] }, { number: 7 })).id,
    } satisfies ShopContent)
    const { result } = await take(PACKAGES + OFFERS)
    expect(result.added).toHaveLength(7)
  })

  return { scene, operator, viewer, ids, take, faultsOf, offersOf, keysOf, idOf }
}

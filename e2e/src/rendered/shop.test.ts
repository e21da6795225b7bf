import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { availableOffers } from '@ondine/contract/offers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../operator.ts'
import { makePerson, type Person } from '../people.ts'
import { findAsset, findChannel, type KnownAsset } from '../service-calls.ts'
import { sharedService } from '../shared-service.ts'
import { testConfiguration } from '../test-browser.ts'
import { buy } from './buy.ts'
import { callAs } from './viewers.ts'
import { addressesOf, type RenderedPage, textOf, visit } from './visit.ts'

const service = sharedService()
const NO_SUBSCRIPTION = 'Vous n’avez pas d’abonnement pour ce titre.'

describe('the shop', () => {
  const configure = testConfiguration()
  let film: KnownAsset
  let newcomer: Person

  beforeAll(async () => {
    film = await findAsset(service.origin, 'La Houle')
  })
  beforeEach(async () => {
    newcomer = await makePerson(service, 'Nour')
  })

  /** Returns the texts of the cards of La Houle. */
  const cards = (page: RenderedPage) =>
    page.main
      .getAllByRole('link')
      .filter((link) => link.getAttribute('href')?.includes('/content/la-houle'))
      .map(textOf)

  it('A4.2-01 A4.2-02 where nothing is sold the offers say so, with a way on, and a locked title does not link to them', async () => {
    const open = await visit(film.detailRoute, { viewer: 'renter' })
    expect(addressesOf(open.main.getAllByRole('link', { name: 'S’abonner' }))).toContain('/offers')

    await configure({ 'offers.subscription': 'disabled', 'offers.transactional': 'disabled' })
    // Without subscriptions, the cart sells only rentals. Rentals are off here too, so neither page sells
    // anything.
    for (const address of ['/offers', '/offers/cart']) {
      const page = await visit(address, { viewer: 'renter' })
      page.main.getByRole('heading', { name: 'Aucune offre en ce moment' })
      expect(addressesOf(page.main.getAllByRole('link', { name: 'Voir le catalogue' }))).toEqual([
        '/all-content',
      ])
    }
    const locked = await visit(film.detailRoute, { viewer: 'renter' })
    expect(locked.main.getAllByText(NO_SUBSCRIPTION)).not.toEqual([])
    expect(locked.main.queryByRole('link', { name: 'S’abonner' })).toBeNull()
  })

  it('V6-03 a locked series is rented by the season', async () => {
    const episode = await findAsset(service.origin, 'Le Métier', { season: 1, episode: 1 })
    const page = await visit(episode.detailRoute, { viewer: newcomer })
    page.main.getByRole('link', { name: /^Louer 6,99 €/ })
    page.main.getByText(/La saison 1 du Métier/)
    const [series] = addressesOf(page.main.getAllByRole('link', { name: /Le Métier/ }))
    expect(series).toMatch(/^\/series\//)
    const whole = await visit(series ?? '', { viewer: newcomer })
    whole.main.getByRole('link', { name: /^Louer 6,99 €/ })
  })

  it('A4.8-11 nothing is sold to a child, on any page', async () => {
    for (const address of [film.detailRoute, '/offers', '/offers/cart', '/offers/confirmation']) {
      const page = await visit(address, { viewer: 'child' })
      expect(page.heading, address).not.toBe('')
      expect(page.document.querySelector('main')?.textContent, address).not.toMatch(/€|S’abonner|Louer|Payer/)
    }
    expect(await callAs('child', availableOffers, { contentType: 'VOD_ASSET' })).toEqual([])
  })

  it('A6-03 a suspended viewer reads whom to contact, and sees no offers', async () => {
    const page = await visit('/offers', { viewer: 'suspended' })
    expect(page.heading).toBe('Compte suspendu')
    page.main.getByText(/Contactez votre fournisseur de services\./)
    expect(page.main.queryByRole('article')).toBeNull()
  })

  it('A3-24 a card shows the price of its title to viewers who would have to rent it, including visitors', async () => {
    const all = '/all-content'
    expect(cards(await visit(all)).join()).toContain('Prix : 3,99')
    const toRent = cards(await visit(all, { viewer: newcomer })).join()
    expect(toRent).toContain('Prix : 3,99')
    expect(toRent).not.toContain('Verrouillé')
    for (const viewer of ['subscriber', 'suspended'] as const) {
      const shown = cards(await visit(all, { viewer }))
      expect(shown, viewer).not.toEqual([])
      expect(shown.join(), viewer).not.toContain('Prix')
    }
    await configure({ 'offers.transactional': 'disabled' })
    const locked = cards(await visit(all, { viewer: newcomer })).join()
    expect(locked).toContain('Verrouillé')
    expect(locked).not.toContain('Prix')
  })

  it('A9-02 a rental that is longer than the limit is shown as unlimited', async () => {
    await configure({ 'offers.rentalDisplayLimitHours': 48 })
    const unlimited = await visit(film.detailRoute)
    unlimited.main.getByText(/À regarder sans limite de durée/)
    expect(unlimited.main.queryByText(/48 heures/)).toBeNull()
    await configure({ 'offers.rentalDisplayLimitHours': 49 })
    const limited = await visit(film.detailRoute)
    limited.main.getByText(/48 heures pour regarder/)
  })

  it('A2.1-25 A9-02 the confirmation of a rental says how long the title can be watched', async () => {
    const content = { contentId: film.id, contentType: 'VOD_ASSET' } as const
    const offers = await callAs(newcomer, availableOffers, { ...content, offerType: 'transactional' })
    const order = await buy(newcomer, offers[0]?.idOption ?? 0, content)
    const confirmation = `/offers/confirmation?orderId=${order}&contentId=${film.id}&contentType=VOD_ASSET`
    const page = await visit(confirmation, { viewer: newcomer })
    expect([page.title, page.heading]).toEqual([
      'Votre commande · Ondine',
      'Confirmation de votre location !',
    ])
    page.main.getByText('48 heures pour regarder, à partir de la première lecture')
    await configure({ 'offers.rentalDisplayLimitHours': 48 })
    const unlimited = await visit(confirmation, { viewer: newcomer })
    unlimited.main.getByText('À regarder sans limite de durée')
  })

  it('A2.1-25 A3-25 the confirmation of a channel for some hours says that they have begun', async () => {
    const { idChannel, item } = await findChannel(service.origin, 'Rive')
    const folder = await mkdtemp(join(tmpdir(), 'ondine-pass-'))
    const file = join(folder, 'offers.yaml')
    const name = '{ fra: Rive pour un jour, eng: Rive for a day }'
    await writeFile(
      file,
      `offers:\n  - { key: rive-pass, type: ppv, name: ${name}, price: "1.50", channel: ${item.lcn}, hours: 24 }\n`,
    )
    try {
      await runCommand(service.dataDir, 'offers import', [file])
      const content = { contentId: idChannel, contentType: 'CHANNEL' } as const
      const offers = await callAs(newcomer, availableOffers, { ...content, offerType: 'ppv' })
      const order = await buy(newcomer, offers[0]?.idOption ?? 0, content)
      const page = await visit(
        `/offers/confirmation?orderId=${order}&contentId=${idChannel}&contentType=CHANNEL`,
        { viewer: newcomer },
      )
      expect(page.heading).toBe('Confirmation de votre achat !')
      page.main.getByText('24 heures pour regarder, à partir de l’achat')
    } finally {
      await runCommand(service.dataDir, 'offers withdraw', ['rive-pass'])
      await rm(folder, { recursive: true })
    }
  })

  it.each([
    ['fra', 'Vous n’avez pas encore d’abonnement.', 'Voir les offres'],
    ['eng', 'You don’t have a subscription yet.', 'See offers'],
  ])(
    'A2.1-18 the subscriptions lead to the offers when there are none, in %s',
    async (language, text, way) => {
      const page = await visit('/account/products', { viewer: newcomer, language })
      page.main.getByText(text)
      expect(addressesOf(page.main.getAllByRole('link', { name: way }))).toEqual(['/offers'])
    },
  )

  it('V6-02 V6-03 a visitor is asked to sign in, a subscriber may play, an account without a subscription finds it locked', async () => {
    const visitor = await visit(film.detailRoute)
    expect(visitor.main.getAllByRole('link', { name: /Se connecter/ })).not.toEqual([])
    expect(visitor.queryByRole('link', { name: /^Lecture/ })).toBeNull()
    const subscriber = await visit(film.detailRoute, { viewer: 'subscriber' })
    expect(subscriber.main.getAllByRole('link', { name: /^(Lecture|Reprendre)/ })).not.toEqual([])
    const renter = await visit(film.detailRoute, { viewer: 'renter' })
    expect(renter.main.getAllByText(NO_SUBSCRIPTION)).not.toEqual([])
    expect(renter.queryByRole('link', { name: /^(Lecture|Reprendre)/ })).toBeNull()
  })
})

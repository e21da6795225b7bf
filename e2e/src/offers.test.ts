import { describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { axeFaults, expectSound } from './checks.ts'
import { findAsset } from './service-calls.ts'
import { NATIVE, shellPages } from './shell-pages.ts'
import { shopPages } from './shop-pages.ts'

/** A shop of the operator's own, outside the service. */
const SHOP = { 'offers.subscription': 'external', 'offers.externalUrl': 'https://shop.test/plans' }

describe('links to the offers', () => {
  const { origin, operator, opened } = shellPages()

  it('A4.8-11 V3-52 a locked title leads to the offers, and these to the operator’s own shop, in the same or a new window', async () => {
    await operator.set(SHOP)
    const film = await findAsset(origin, 'La Houle')
    const page = await opened(film.detailRoute, { user: 'renter@ondine.test' })
    const main = page.getByRole('main')
    await main.getByText('Vous n’avez pas d’abonnement pour ce titre.').first().waitFor()
    await main.getByRole('link', { name: 'S’abonner' }).click()
    await page.waitForURL(`${origin}/offers`)
    const way = main.getByRole('link', { name: 'S’abonner' })
    // The page's URL changes before the new page appears. Until then, this locator still finds the title's link.
    await expect.poll(async () => await way.getAttribute('href')).toBe('https://shop.test/plans')
    expect(await main.getByRole('link').count()).toBe(1)

    await page
      .context()
      .route('https://shop.test/**', async (route) => await route.fulfill({ body: 'The shop' }))
    await operator.set({ 'offers.billingRedirectionMode': 'new-tab' })
    await expect.poll(async () => await way.getAttribute('target')).toBe('_blank')
    const [shop] = await Promise.all([page.waitForEvent('popup'), way.click()])
    await shop.getByText('The shop').waitFor()
    expect(new URL(page.url()).pathname).toBe('/offers')

    await operator.set({ 'offers.billingRedirectionMode': 'same-tab' })
    await expect.poll(async () => await way.getAttribute('target')).toBe(null)
    await way.click()
    await page.getByText('The shop').waitFor()
    expect(page.url()).toBe('https://shop.test/plans')
  })

  it('A6-03 A4.8-11 a suspended account is not sent to the operator’s own shop', async () => {
    await operator.set(SHOP)
    const page = await opened('/offers', { user: 'suspended@ondine.test' })
    await page.getByRole('heading', { level: 1, name: 'Compte suspendu' }).waitFor()
    expect(await page.getByRole('main').locator('a[href^="https://shop.test"]').count()).toBe(0)
  })

  it('A2.2-02 A2.1-23 without the screen of offers, an empty cart leads to the catalogue', async () => {
    await operator.set({ 'offers.isOfferScreenEnable': false })
    const page = await opened('/offers/cart', { user: 'renter@ondine.test' })
    await page.getByText('Votre panier est vide.').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Voir le catalogue' }).click()
    await page.waitForURL(`${origin}/all-content`)
  })

  it('A4.8-12 V1-04 a native app sells nothing and names the website, unless mobilePayment is on', async () => {
    await operator.set({ ...SHOP, 'settings.share-url': 'https://watch.test' })
    const film = await findAsset(origin, 'La Houle')
    const page = await opened(film.detailRoute, { user: 'renter@ondine.test', script: NATIVE })
    const main = page.getByRole('main')
    const website = /Les achats ne sont pas possibles dans cette application/
    await main.getByRole('button', { name: 'S’abonner' }).click()
    await page.getByRole('dialog').getByText(website).waitFor()
    await page.keyboard.press('Escape')
    for (const path of ['/offers', '/offers/cart']) {
      await visit(page, path)
      await main.getByText(website).waitFor()
      const links = await main
        .getByRole('link')
        .evaluateAll((all) => all.map((each) => each.getAttribute('href')))
      expect(links).toEqual(['https://watch.test/offers', '/'])
    }
    await operator.set({ 'offers.mobilePayment': true })
    await visit(page, '/offers')
    await main.locator('a[href="https://shop.test/plans"]').waitFor()
  })
})

describe('the offers', () => {
  const { origin, opened, buyer, main, heading, card, pressPay, payAtBank } = shopPages()

  it('A2.1-21 A2.1-22 A2.3-12 A3-21 A9-03 A9-05 a visitor sees the plans, the cheapest first, by the month and by the year; an offer has a page of its own, with all its details', async () => {
    const page = await opened('/offers')
    await heading(page, 'Choisissez votre formule').waitFor()
    const seen = async () =>
      await main(page)
        .getByRole('region', { name: 'Formules' })
        .getByRole('article')
        .evaluateAll((cards) =>
          cards.map((each) => [
            each.querySelector('h2')?.textContent,
            /[\d,]+\s€(?=\spar\s)/.exec(each.textContent)?.[0],
          ]),
        )
    const plain = (found: unknown) => JSON.stringify(found).replaceAll(/\s/g, ' ')
    expect(plain(await seen())).toBe(
      plain([
        ['Cinéma', '5,99 €'],
        ['Cinéma et séries', '4,49 €'],
        ['Intégral', '12,99 €'],
      ]),
    )
    expect(await main(page).getByText('Offre spéciale').count()).toBe(2)
    await card(page, 'Intégral').getByRole('link', { name: 'Essayer gratuitement' }).waitFor()
    await card(page, 'Option Chaînes').getByRole('link', { name: 'Ajouter' }).waitFor()
    await main(page).getByText('Annuel', { exact: true }).click()
    await expect.poll(async () => plain(await seen())).toContain('129,90 €')
    expect(await main(page).getByText('Offre spéciale').count()).toBe(0)
    await expectSound(page, 'the offers')

    // Only the monthly plan has these details.
    await main(page).getByText('Mensuel', { exact: true }).click()
    await card(page, 'Cinéma et séries').getByRole('link', { name: 'Plus d’infos' }).click()
    await heading(page, 'Cinéma et séries').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/offers\/cinema-et-series-\d+$/)
    for (const name of ['Ce qui est compris', 'Conditions', 'Mentions légales de l’offre'])
      await main(page).getByRole('heading', { level: 2, name }).waitFor()
    await main(page).getByText('Sans engagement').waitFor()
    await expectSound(page, 'an offer')
    const response = await visit(page, '/offers/nothing-999999')
    expect(response?.status()).toBe(404)
  })

  it('V6-03 A2.1-23 a locked title is rented from its page for some hours, or leads to the plans; then it plays', async () => {
    const film = await findAsset(origin, 'La Houle')
    const page = await buyer(film.detailRoute)
    await main(page).getByText('48 heures pour regarder, à partir de la première lecture').waitFor()
    await expectSound(page, 'a locked title')
    await main(page).getByRole('link', { name: 'S’abonner' }).click()
    await heading(page, 'Choisissez votre formule').waitFor()
    await page.goBack()
    await main(page)
      .getByRole('link', { name: /^Louer 3,99\s€/ })
      .click()
    await main(page).getByRole('listitem').filter({ hasText: 'La Houle' }).waitFor()
    await payAtBank(await pressPay(page, '3,99'))
    await heading(page, 'Confirmation de votre location !').waitFor()
    await visit(page, film.detailRoute)
    await main(page).getByRole('link', { name: 'Lecture' }).waitFor()
    expect(
      await main(page)
        .getByRole('link', { name: /^Louer/ })
        .count(),
    ).toBe(0)
  })

  it('A2.3-13 a subscriber sees the own plan dimmed, and the links to the others', async () => {
    const page = await opened('/offers', { user: 'subscriber@ondine.test' })
    const own = card(page, 'Cinéma et séries')
    await own.getByText('Déjà souscrit').waitFor()
    await card(page, 'Option Chaînes').getByText('Déjà souscrit').waitFor()
    expect(await main(page).getByText('Déjà souscrit').count()).toBe(2)
    expect(await main(page).getByRole('link', { name: 'S’abonner' }).count()).toBe(0)
    // A subscriber sees the full price: the introductory price is for new customers.
    expect(await own.getByText(/^8,99\s€$/).count()).toBe(1)
    expect(await axeFaults(page)).toEqual([])
    await card(page, 'Intégral').getByRole('link', { name: 'Changer de formule : Intégral' }).click()
    await heading(page, 'Abonnements et achats').waitFor()
    await main(page).getByRole('button', { name: 'Changer de formule : Cinéma et séries' }).waitFor()
  })
})

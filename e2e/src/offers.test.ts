import { availableOffers, type Offer } from '@ondine/contract/offers'
import { listPaymentMethods } from '@ondine/contract/orders'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { axeFaults, expectSound } from './checks.ts'
import { callAs, makePerson, PASSWORD, signInAsChild, signInByForm } from './people.ts'
import { videoState } from './screen.ts'
import { call, findAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { NATIVE, shellPages } from './shell-pages.ts'
import { tabTo } from './tab-to.ts'

/** A shop of the operator's own, outside of the service. */
const SHOP = { 'offers.subscription': 'external', 'offers.externalUrl': 'https://shop.test/plans' }

describe('the way to what is sold', () => {
  const { origin, operator, opened } = shellPages()

  it('A4.8-11 V3-52 what is locked leads to the offers, and these to the operator’s own shop, here or in a new window', async () => {
    await operator.set(SHOP)
    const film = await findAsset(origin, 'La Houle')
    const page = await opened(film.detailRoute, { user: 'renter@ondine.test' })
    const main = page.getByRole('main')
    await main.getByText('Votre abonnement ne comprend pas ce titre.').first().waitFor()
    await main.getByRole('link', { name: 'S’abonner' }).click()
    await page.waitForURL(`${origin}/offers`)
    const way = main.getByRole('link', { name: 'S’abonner' })
    // The address is another before its page is there, on which the title's own way is gone.
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

  it('A4.2-01 A4.2-02 where nothing is sold the offers say so, with a way on, and what is locked leads to none', async () => {
    await operator.set({ 'offers.subscription': 'disabled', 'offers.transactional': 'disabled' })
    const page = await opened('/offers', { user: 'renter@ondine.test' })
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: 'Aucune offre en ce moment' }).waitFor()
    await main.getByRole('link', { name: 'Voir le catalogue' }).click()
    await page.waitForURL(`${origin}/all-content`)
    await main
      .getByRole('link', { name: /La Houle/ })
      .first()
      .click()
    await main.getByText('Votre abonnement ne comprend pas ce titre.').first().waitFor()
    expect(await main.getByRole('link', { name: 'S’abonner' }).count()).toBe(0)
    // A cart is for rentals, and there are none either.
    await visit(page, '/offers/cart')
    await main.getByRole('heading', { name: 'Aucune offre en ce moment' }).waitFor()
  })

  it('A4.8-12 V1-04 a native app sells nothing and says where to go, unless mobilePayment is on', async () => {
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

describe('the shop', () => {
  const service = sharedService()
  const { origin, operator, opened } = shellPages()

  /** Somebody new, signed in on a page of their own. */
  async function buyer(path: string, ...opening: Parameters<typeof opened>[1][]): Promise<Page> {
    const { email } = await makePerson(service, 'Nour')
    const page = await opened('/legal', ...opening)
    await signIn(page, email, PASSWORD)
    await visit(page, path)
    return page
  }
  async function offersBy(title: string): Promise<Offer[]> {
    const offers = await call(origin, availableOffers, { contentType: 'VOD_ASSET' })
    return offers.filter((offer) => offer.title === title)
  }
  const main = (page: Page) => page.getByRole('main')
  const heading = (page: Page, name: string | RegExp) => main(page).getByRole('heading', { level: 1, name })
  const card = (page: Page, title: string) =>
    main(page)
      .getByRole('article')
      .filter({ has: page.getByRole('heading', { name: title, exact: true }) })

  /** Agrees to what is said below the cart, and presses the button that pays. @returns the payment window */
  async function pressPay(page: Page, price: string): Promise<Page> {
    await main(page).getByText('je renonce pour cela').click()
    const [bank] = await Promise.all([
      page.waitForEvent('popup'),
      main(page)
        .getByRole('button', { name: `Payer ${price}` })
        .click(),
    ])
    await bank.getByRole('button', { name: 'Annuler' }).waitFor()
    return bank
  }
  const payAtBank = async (bank: Page) => await bank.getByRole('button', { name: /^Payer/ }).click()

  it('A2.1-21 A2.3-12 A9-03 A9-05 a visitor sees the plans, the cheapest first, by the month and by the year', async () => {
    const page = await opened('/offers')
    await heading(page, 'Choisissez votre formule').waitFor()
    const seen = async () =>
      await main(page)
        .getByRole('region', { name: 'Formules' })
        .getByRole('article')
        .evaluateAll((cards) =>
          cards.map((each) => [
            each.querySelector('h2')?.textContent,
            /[\d,]+\s€/.exec(each.textContent)?.[0],
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
  })

  it('A2.1-22 A3-21 an offer has a page of its own, with all that is to be known of it', async () => {
    const page = await opened('/offers')
    await card(page, 'Cinéma et séries').getByRole('link', { name: 'Plus d’infos' }).click()
    await heading(page, 'Cinéma et séries').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/offers\/cinema-et-series-\d+$/)
    for (const name of ['Ce que vous avez', 'Conditions', 'Mentions légales de l’offre'])
      await main(page).getByRole('heading', { level: 2, name }).waitFor()
    await main(page).getByText('Sans engagement').waitFor()
    await expectSound(page, 'an offer')
    const response = await visit(page, '/offers/nothing-999999')
    expect(response?.status()).toBe(404)
  })

  it('A6-01 A2.1-23 a visitor who subscribes signs in first, and is in the cart then', async () => {
    const { email } = await makePerson(service, 'Ana')
    const page = await opened('/offers')
    await card(page, 'Cinéma').getByRole('link', { name: 'S’abonner' }).click()
    await page.waitForURL(/\/auth\/login\?back=/)
    await signInByForm(page, email, PASSWORD)
    await heading(page, 'Votre panier').waitFor()
    await main(page).getByRole('listitem').filter({ hasText: 'Cinéma' }).waitFor()
    await main(page)
      .getByText(/^À partir du .*\s: 5,99\s€ par mois$/)
      .waitFor()
    await main(page)
      .getByRole('button', { name: /^Payer 5,99\s€$/ })
      .waitFor()
    await expectSound(page, 'the cart')
  })

  it('A1-01 A4.8-03 A4.8-04 A4.8-05 A4.8-07 A2.1-25 A2.3-13 A2.3-14 somebody subscribes at the bank, and holds the plan then', async () => {
    const page = await buyer('/offers')
    await page.evaluate(() =>
      addEventListener('ondine:purchase', () => document.body.setAttribute('data-purchased', '')),
    )
    await card(page, 'Cinéma').getByRole('link', { name: 'S’abonner' }).click()
    await main(page)
      .getByRole('radio', { name: /Nouvelle carte/ })
      .waitFor()
    // What is not agreed to is not paid.
    await main(page)
      .getByRole('button', { name: /^Payer/ })
      .click()
    await main(page).getByText('Cochez cette case pour continuer.').waitFor()
    const bank = await pressPay(page, '5,99')
    await heading(page, 'Paiement en cours').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await Promise.all([bank.waitForEvent('close'), payAtBank(bank)])
    await heading(page, 'Confirmation de votre abonnement !').waitFor()
    await page.locator('body[data-purchased]').waitFor({ state: 'attached' })
    await expectSound(page, 'the confirmation')
    await main(page).getByRole('link', { name: 'Aller à l’accueil' }).click()
    await page.waitForURL((url) => url.pathname === '/' || url.pathname === '/home')
    await visit(page, '/offers')
    await card(page, 'Cinéma').getByText('Déjà souscrit').waitFor()
    expect(await card(page, 'Cinéma').getByRole('link').allTextContents()).toEqual(['Plus d’infos'])
  })

  it('A4.8-03 what is rented with a saved card needs no window', async () => {
    const film = await findAsset(origin, 'La Houle')
    const page = await buyer('/offers')
    await card(page, 'Option Chaînes').waitFor()
    const [season] = await offersBy('La saison 1 du Métier')
    const episode = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
    await visit(
      page,
      `/offers/cart?offerId=${season?.idOption}&contentId=${episode.id}&contentType=VOD_ASSET`,
    )
    const bank = await pressPay(page, '6,99')
    await payAtBank(bank)
    await heading(page, 'Confirmation de votre location !').waitFor()
    await visit(page, film.detailRoute)
    // Four presses lead to the picture.
    await main(page)
      .getByRole('link', { name: /^Louer 3,99\s€/ })
      .click()
    await main(page).getByRole('radio', { name: 'visa •••• 4242' }).waitFor()
    await main(page).getByText('48 heures pour regarder').waitFor()
    await main(page).getByText('je renonce pour cela').click()
    await main(page)
      .getByRole('button', { name: /^Payer 3,99/ })
      .click()
    await heading(page, 'Confirmation de votre location !').waitFor()
    expect(page.context().pages()).toHaveLength(1)
    await main(page).getByRole('link', { name: 'Regarder maintenant' }).click()
    await expect.poll(async () => (await videoState(page)).position).toBeGreaterThan(0)
    // The library lists the rental.
    await visit(page, '/library')
    const rented = main(page).getByRole('link', { name: /La Houle/ })
    await rented.first().waitFor()
    await expectSound(page, 'the library with what is rented')
  })

  it('where the law asks for less the cart does too: no waiver, no amount on its button, nothing of renewals', async () => {
    const rules = ['isAmountOnButton', 'isRenewalShown', 'isWaiverAsked']
    await operator.set(Object.fromEntries(rules.map((rule) => [`offers.consumerRules.${rule}`, false])))
    const page = await buyer('/offers')
    await card(page, 'Cinéma').getByRole('link', { name: 'S’abonner' }).click()
    const pay = main(page).getByRole('button', { name: 'Payer', exact: true })
    await pay.waitFor()
    expect(await main(page).getByText('rétractation').count()).toBe(0)
    expect(await main(page).getByText('se renouvelle').count()).toBe(0)
    const [bank] = await Promise.all([page.waitForEvent('popup'), pay.click()])
    await payAtBank(bank)
    await heading(page, 'Confirmation de votre abonnement !').waitFor()
  })

  it('A4.8-05 a payment that is given up at the bank has failed, and can be tried again from the cart', async () => {
    const [offer] = await offersBy('Cinéma')
    const page = await buyer(`/offers/cart?offerId=${offer?.idOption}`)
    const bank = await pressPay(page, '5,99')
    // A card that is declined is no end: another one may do.
    await bank.getByRole('radio').nth(1).check()
    await payAtBank(bank)
    await bank.getByRole('alert').waitFor()
    await heading(page, 'Paiement en cours').waitFor()
    await bank.getByRole('button', { name: 'Annuler' }).click()
    await heading(page, 'Le paiement n’a pas abouti').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await main(page).getByRole('button', { name: 'Essayer à nouveau' }).click()
    const second = await pressPay(page, '5,99')
    await payAtBank(second)
    await heading(page, 'Confirmation de votre abonnement !').waitFor()
  })

  it('A4.8-06 a payment whose window is closed stops, and is taken up again', async () => {
    const [offer] = await offersBy('Cinéma')
    const page = await buyer(`/offers/cart?offerId=${offer?.idOption}`)
    await (await pressPay(page, '5,99')).close()
    await heading(page, 'La fenêtre de paiement est fermée').waitFor()
    const [bank] = await Promise.all([
      page.waitForEvent('popup'),
      main(page).getByRole('button', { name: 'Reprendre le paiement' }).click(),
    ])
    await payAtBank(bank)
    await heading(page, 'Confirmation de votre abonnement !').waitFor()
  })

  it('A4.8-04 A8.3-10 a payment window that the browser blocks is said, and opened by another press', async () => {
    const [offer] = await offersBy('Cinéma')
    const page = await buyer(`/offers/cart?offerId=${offer?.idOption}`, {
      script: 'const open = window.open; window.open = () => { window.open = open; return null }',
    })
    await main(page).getByText('je renonce pour cela').click()
    await main(page)
      .getByRole('button', { name: /^Payer/ })
      .click()
    await heading(page, 'La fenêtre de paiement n’a pas pu s’ouvrir').waitFor()
    const [bank] = await Promise.all([
      page.waitForEvent('popup'),
      main(page).getByRole('button', { name: 'Ouvrir la page de paiement' }).click(),
    ])
    await payAtBank(bank)
    await heading(page, 'Confirmation de votre abonnement !').waitFor()
  })

  it('A4.8-09 A8.3-10 the order in an address is looked after; one of somebody else, or none, is no order', async () => {
    const [offer] = await offersBy('Cinéma')
    const page = await buyer(`/offers/cart?offerId=${offer?.idOption}`)
    await payAtBank(await pressPay(page, '5,99'))
    await heading(page, 'Confirmation de votre abonnement !').waitFor()
    const { pathname, search } = new URL(page.url())
    await visit(page, pathname + search)
    await heading(page, 'Confirmation de votre abonnement !').waitFor()
    const other = await buyer(pathname + search)
    await heading(other, 'Aucune commande à vérifier').waitFor()
    await visit(other, '/offers/confirmation?orderId=no')
    await heading(other, 'Aucune commande à vérifier').waitFor()
  })

  it('A8.3-11 an order that cannot be asked after closes its window, and the alert says why', async () => {
    const [offer] = await offersBy('Cinéma')
    const page = await buyer(`/offers/cart?offerId=${offer?.idOption}`)
    await page.route('**/proxy/checkOrderStatus*', async (route) => await route.abort('connectionrefused'))
    const bank = await pressPay(page, '5,99')
    if (!bank.isClosed()) await bank.waitForEvent('close')
    await page.getByRole('alertdialog').getByText('Le service ne répond pas').waitFor()
    await page.getByRole('button', { name: 'OK' }).click()
    await heading(page, 'La fenêtre de paiement est fermée').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('A8.3-12 offers that cannot load are said and asked for again; what cannot be bought is said in an alert', async () => {
    const page = await buyer('/legal')
    await page.route('**/proxy/availableOffers', async (route) => await route.abort('connectionrefused'))
    await page.getByRole('contentinfo').getByRole('link', { name: 'Offres' }).click()
    await main(page).getByText('Oups ! Impossible de charger vos offres pour le moment…').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await main(page).getByRole('button', { name: 'Réessayer' }).click()
    await card(page, 'Cinéma').waitFor()
    // An option needs a plan.
    await card(page, 'Option Chaînes').getByRole('link', { name: 'Ajouter' }).click()
    await page.getByRole('alertdialog').getByText('Il manque une option obligatoire.').waitFor()
    await page.getByRole('button', { name: 'OK' }).click()
    await main(page).getByText('Cet achat n’est pas possible.').waitFor()
    for (const wrong of ['offerId=999999', 'offerId=no', 'contentId=999999', 'contentId=-1']) {
      await visit(page, `/offers/cart?${wrong}`)
      if (wrong === 'offerId=999999') await page.getByRole('button', { name: 'OK' }).click()
      await main(page)
        .getByText(/Cet achat n’est pas possible\.|Votre panier est vide\./)
        .waitFor()
    }
  })

  it('A3-26 what is added to the plan in the cart counts', async () => {
    const [offer] = await offersBy('Cinéma')
    const page = await buyer(`/offers/cart?offerId=${offer?.idOption}`)
    await main(page)
      .getByText(/^Option Chaînes · 3,99/)
      .click()
    await main(page)
      .getByRole('button', { name: /^Payer 9,98\s€$/ })
      .waitFor()
    await main(page)
      .getByText(/^Option Chaînes · 3,99/)
      .click()
    await main(page)
      .getByRole('button', { name: /^Payer 5,99\s€$/ })
      .waitFor()
  })

  /** The cart with the trial of a new account, agreed to. */
  async function trial(): Promise<Page> {
    const page = await buyer('/offers')
    await card(page, 'Intégral').getByRole('link', { name: 'Essayer gratuitement' }).click()
    await main(page)
      .getByText(/^0,00\s€$/)
      .first()
      .waitFor()
    await main(page).getByText('je renonce pour cela').click()
    return page
  }
  const startButton = (page: Page) => main(page).getByRole('button', { name: 'Commencer l’essai gratuit' })

  it('A2.3-12 A4.8-03 A4.8-04 a trial costs nothing today, says what follows, and saves a card at the bank', async () => {
    const page = await trial()
    await main(page)
      .getByText(/^À partir du .*\s: 12,99\s€ par mois$/)
      .waitFor()
    await main(page)
      .getByText(/^Rien à payer aujourd’hui\. Votre carte sera débitée de 12,99\s€ le .+, sauf si/)
      .waitFor()
    await main(page)
      .getByRole('radio', { name: /Nouvelle carte/ })
      .waitFor()
    expect(
      await main(page)
        .getByRole('radio', { name: /Sans carte/ })
        .count(),
    ).toBe(0)
    await expectSound(page, 'the cart of a trial')
    const [bank] = await Promise.all([page.waitForEvent('popup'), startButton(page).click()])
    await heading(page, 'Enregistrement de votre carte').waitFor()
    await bank.getByText('Rien n’est payé maintenant').waitFor()
    await Promise.all([
      bank.waitForEvent('close'),
      bank.getByRole('button', { name: 'Enregistrer la carte' }).click(),
    ])
    await heading(page, 'Confirmation de votre abonnement !').waitFor()
    const [saved] = await callAs(page, listPaymentMethods, {})
    expect(saved?.label).toBe('•••• 4242')
  })

  it('A4.8-06 a trial whose card is given up at the bank does not begin, and can be tried again', async () => {
    const page = await trial()
    const [bank] = await Promise.all([page.waitForEvent('popup'), startButton(page).click()])
    await bank.getByRole('button', { name: 'Annuler' }).waitFor()
    await bank.close()
    await heading(page, 'La fenêtre de paiement est fermée').waitFor()
    await main(page).getByText('Aucune carte n’a été enregistrée.').waitFor()
    const [again] = await Promise.all([
      page.waitForEvent('popup'),
      main(page).getByRole('button', { name: 'Reprendre' }).click(),
    ])
    await again.getByRole('button', { name: 'Annuler' }).click()
    await heading(page, 'La carte n’a pas été enregistrée').waitFor()
    await main(page).getByRole('button', { name: 'Essayer à nouveau' }).click()
    await startButton(page).waitFor()
  })

  it('A4.8-03 a trial may begin without a card where the operator asks for none', async () => {
    await operator.set({ 'offers.isCardAskedForTrial': false })
    const page = await trial()
    await main(page)
      .getByText(/^Rien à payer aujourd’hui\. Sans carte, l’essai s’arrête le/)
      .waitFor()
    await main(page).getByText('Nouvelle carte bancaire').click()
    await main(page)
      .getByText(/Votre carte sera débitée de 12,99\s€ le/)
      .waitFor()
    await main(page).getByText('Sans carte', { exact: true }).click()
    await startButton(page).click()
    await heading(page, 'Confirmation de votre abonnement !').waitFor()
    expect((await callAs(page, listPaymentMethods, {})).map(({ label }) => label)).toEqual([null])
  })

  it('V6-03 A2.1-23 what is locked is rented from its page for some hours, or leads to the plans; then it plays', async () => {
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

  it('V6-03 a series that is locked is rented by the season', async () => {
    const episode = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
    const page = await buyer(episode.detailRoute)
    await main(page)
      .getByRole('link', { name: /^Louer 6,99\s€/ })
      .waitFor()
    await main(page).getByText('La saison 1 du Métier').waitFor()
    await main(page).getByRole('link', { name: 'Le Métier' }).first().click()
    await main(page)
      .getByRole('link', { name: /^Louer 6,99\s€/ })
      .waitFor()
  })

  it('A4.8-11 a child is sold nothing, on no page', async () => {
    const film = await findAsset(origin, 'La Houle')
    const page = await opened('/legal')
    await signInAsChild(page)
    for (const address of [film.detailRoute, '/offers', '/offers/cart', '/offers/confirmation']) {
      await visit(page, address)
      await main(page).getByRole('heading', { level: 1 }).waitFor()
      expect(
        await main(page)
          .getByText(/€|S’abonner|Louer|Payer/)
          .count(),
        address,
      ).toBe(0)
    }
    const paid = await callAs(page, availableOffers, { contentType: 'VOD_ASSET' })
    expect(paid).toEqual([])
  })

  it('A2.3-13 who holds everything finds every plan dimmed, and nothing to subscribe to', async () => {
    const page = await opened('/offers', { user: 'subscriber@ondine.test' })
    await card(page, 'Cinéma').waitFor()
    const cards = main(page).getByRole('article')
    expect(await main(page).getByText('Déjà souscrit').count()).toBe(await cards.count())
    expect(await main(page).getByRole('link', { name: 'S’abonner' }).count()).toBe(0)
    expect(await axeFaults(page)).toEqual([])
  })

  it('A6-03 who is suspended reads whom to ask, and is shown no offers', async () => {
    const page = await opened('/offers', { user: 'suspended@ondine.test' })
    await heading(page, 'Compte suspendu').waitFor()
    await main(page).getByText('Contactez votre fournisseur de services.').waitFor()
    expect(await main(page).getByRole('article').count()).toBe(0)
  })

  it('V2.2-08 A2.1-36 goes by keyboard from the offers to the bank', async () => {
    const page = await buyer('/offers')
    await tabTo(page, /^S’abonner : Cinéma$/)
    await page.keyboard.press('Enter')
    await heading(page, 'Votre panier').waitFor()
    await main(page)
      .getByRole('button', { name: /^Payer/ })
      .waitFor()
    await tabTo(page, /je renonce pour cela/)
    await page.keyboard.press('Space')
    await tabTo(page, /^Payer 5,99/)
    const [bank] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
    await payAtBank(bank)
    await heading(page, 'Confirmation de votre abonnement !').waitFor()
  })
})

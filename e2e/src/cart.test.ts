import { describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { axeFaults, expectSound } from './checks.ts'
import { openForeignSite } from './foreign-page.ts'
import { makePerson, PASSWORD, signInByForm } from './people.ts'
import { videoState } from './screen.ts'
import { findAsset } from './service-calls.ts'
import { shopPages } from './shop-pages.ts'
import { tabTo } from './tab-to.ts'

describe('the cart', () => {
  const { service, origin, operator, opened, buyer, offersBy, main, heading, card, pressPay, payAtBank } =
    shopPages()

  it('A6-01 A2.1-23 a visitor who subscribes signs in first, and then reaches the cart', async () => {
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

  it('A1-01 A4.8-03 A4.8-04 A4.8-05 A4.8-07 A2.1-25 A2.3-13 A2.3-14 a customer subscribes at the bank, and then has the plan', async () => {
    const page = await buyer('/offers')
    await page.evaluate(() =>
      addEventListener('ondine:purchase', () => document.body.setAttribute('data-purchased', '')),
    )
    await card(page, 'Cinéma').getByRole('link', { name: 'S’abonner' }).click()
    await main(page)
      .getByRole('radio', { name: /Nouvelle carte/ })
      .waitFor()
    // Without the accepted waiver, the payment button only shows a message.
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
    expect(await card(page, 'Cinéma').getByRole('link').allTextContents()).toEqual(['Gérer', 'Plus d’infos'])
  })

  it('A4.8-06 the cart knows the payment window on the site of a provider, which closes when it comes back', async () => {
    const page = await buyer('/offers')
    const site = await openForeignSite()
    try {
      const [window, opened] = await Promise.all([
        page.waitForEvent('popup'),
        page.evaluateHandle(() => globalThis.open('', 'payment')),
      ])
      await opened.evaluate((payment, address) => payment?.location.replace(address), site.origin)
      await window.waitForURL(`${site.origin}/`)
      const isClosed = async () => await opened.evaluate((payment) => payment?.closed)
      expect(await isClosed()).toBe(false)
      const back = `${origin}/offers/confirmation?orderId=1`
      await Promise.all([
        window.waitForEvent('close'),
        window.evaluate((address) => location.replace(address), back),
      ])
      expect(await isClosed()).toBe(true)
    } finally {
      await site.close()
    }
  })

  it('A4.8-03 a rental with a saved card needs no payment window', async () => {
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
    // Four presses lead to the first frame.
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
    await expectSound(page, 'the library with a rental')
  })

  it('A4.8-04 A4.8-05 A2.1-25 a saved card whose bank asks for a confirmation says so, and a press opens the page of the bank; a rental is confirmed as one, also from the plain address of the cart', async () => {
    const film = await findAsset(origin, 'La Houle')
    const episode = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
    const [season] = await offersBy('La saison 1 du Métier')
    const page = await buyer(
      `/offers/cart?offerId=${season?.idOption}&contentId=${episode.id}&contentType=VOD_ASSET`,
    )
    const bank = await pressPay(page, '6,99')
    await bank.getByRole('radio', { name: /3220/ }).check()
    await payAtBank(bank)
    await bank.getByRole('button', { name: 'Confirmer' }).click()
    await heading(page, 'Confirmation de votre location !').waitFor()
    await visit(page, `/offers/cart?contentId=${film.id}&contentType=VOD_ASSET`)
    await main(page).getByRole('listitem').filter({ hasText: 'La Houle' }).waitFor()
    await visit(page, '/offers/cart')
    await main(page).getByRole('radio', { name: 'visa •••• 3220' }).waitFor()
    await main(page).getByText('je renonce pour cela').click()
    await main(page)
      .getByRole('button', { name: /^Payer 3,99/ })
      .click()
    await heading(page, 'Votre banque demande une confirmation').waitFor()
    await expectSound(page, 'a saved card that needs a confirmation')
    const [confirming] = await Promise.all([
      page.waitForEvent('popup'),
      main(page).getByRole('button', { name: 'Ouvrir la page de paiement' }).click(),
    ])
    await heading(page, 'Paiement en cours').waitFor()
    await confirming.getByRole('button', { name: 'Confirmer' }).click()
    await heading(page, 'Confirmation de votre location !').waitFor()
    await main(page).getByRole('link', { name: 'Regarder maintenant' }).waitFor()
  })

  it('requires less where the law does: no waiver, no amount on the button, no announcement of renewals', async () => {
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

  it('A3-26 A4.2-08 A4.8-05 an option changes the amount; a payment goes from the cart to its progress; cancelled at the bank it has failed, and paid again from the cart it succeeds', async () => {
    const [offer] = await offersBy('Cinéma')
    const page = await buyer(`/offers/cart?offerId=${offer?.idOption}`)
    for (const amount of ['9,98', '5,99']) {
      await main(page)
        .getByText(/^Option Chaînes · 3,99/)
        .click()
      await main(page)
        .getByRole('button', { name: new RegExp(`^Payer ${amount}\\s€$`) })
        .waitFor()
    }
    const bank = await pressPay(page, '5,99')
    // After a declined card, another card may work.
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

  it('A4.8-06 A4.8-09 A8.3-10 a payment whose window is closed stops, and can be resumed; the order in an address is checked, and an unknown order or one of another account counts as none', async () => {
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
    const { pathname, search } = new URL(page.url())
    await visit(page, pathname + search)
    await heading(page, 'Confirmation de votre abonnement !').waitFor()
    const other = await buyer(pathname + search)
    await heading(other, 'Aucune commande à vérifier').waitFor()
    await visit(other, '/offers/confirmation?orderId=no')
    await heading(other, 'Aucune commande à vérifier').waitFor()
  })

  it('A4.8-04 A8.3-10 a payment window that the browser blocks is reported, and another press opens it', async () => {
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

  it('A8.3-11 an order whose status cannot be read closes its window, and the alert says why', async () => {
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

  it('A8.3-12 offers that cannot load are reported and can be requested again; an offer that cannot be bought causes an alert', async () => {
    const page = await buyer('/legal')
    await page.route('**/proxy/availableOffers', async (route) => await route.abort('connectionrefused'))
    await page.getByRole('contentinfo').getByRole('link', { name: 'Offres' }).click()
    await main(page).getByText('Oups ! Impossible de charger vos offres pour le moment…').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await main(page).getByRole('button', { name: 'Réessayer' }).click()
    await card(page, 'Cinéma').waitFor()
    // An option requires a plan.
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

  it('V2.2-08 A2.1-36 works by keyboard from the offers to the bank', async () => {
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

import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { availableOffers } from '@ondine/contract/offers'
import { getBillingDashboardAccess, listPaymentMethods } from '@ondine/contract/orders'
import { listReceipts, readReceipt } from '@ondine/contract/receipts'
import { pdfText } from '@ondine/server/test/pdf-text'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { expectSound } from './checks.ts'
import { runCommand } from './operator.ts'
import { callAs, makePerson, PASSWORD, signInByForm } from './people.ts'
import { call, findAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { shellPages } from './shell-pages.ts'

/** An additional voucher for the demonstration: its discount covers the whole price. */
const VOUCHERS = 'vouchers:\n  - { key: all-free, code: TOUT-OFFERT, percentage: 100 }\n'

const INVALID = 'Ce code promotionnel n’est pas valable.'

describe('vouchers', () => {
  const service = sharedService()
  const { origin, opened } = shellPages()

  beforeAll(async () => {
    const file = join(tmpdir(), `ondine-vouchers-${Date.now()}.yaml`)
    await writeFile(file, VOUCHERS)
    await runCommand(service.dataDir, 'vouchers import', [file])
  })
  afterAll(async () => void (await runCommand(service.dataDir, 'vouchers withdraw', ['all-free'])))

  /** Opens a page for a new person who is signed in. */
  async function buyer(path: string, language: 'fra' | 'eng' = 'fra'): Promise<Page> {
    const { email, password } = await makePerson(service, 'Nour', language)
    return await opened(path, { language, user: email, password })
  }
  const main = (page: Page) => page.getByRole('main')
  const heading = (page: Page, name: string) => main(page).getByRole('heading', { level: 1, name })
  const popup = (page: Page) => page.getByRole('dialog')
  const summary = (page: Page) => main(page).getByRole('region', { name: /^(Résumé|Summary)$/ })

  /** Returns the path of the cart with the plan of 5,99 € a month. */
  async function cartPath(): Promise<string> {
    const offers = await call(origin, availableOffers, { contentType: 'VOD_ASSET' })
    const offer = offers.find(
      ({ title, pricePeriodicity }) => title === 'Cinéma' && pricePeriodicity === 'monthly',
    )
    return `/offers/cart?offerId=${offer?.idOption}`
  }
  /** Opens the popup of the cart, and enters a code there. */
  async function enter(page: Page, code: string): Promise<void> {
    if ((await popup(page).count()) === 0)
      await summary(page).getByRole('button', { name: 'J’ai un code promotionnel' }).click()
    await popup(page).getByLabel('Code promotionnel').fill(code)
    await popup(page).getByRole('button', { name: 'Appliquer' }).click()
  }
  const pays = async (page: Page, price: string) =>
    await main(page)
      .getByRole('button', { name: new RegExp(`^Payer ${price}\\s€$`) })
      .waitFor()
  /** Accepts the terms below the cart, and presses the button that pays. @returns the payment window */
  async function pressPay(page: Page): Promise<Page> {
    await main(page).getByText('je renonce pour cela').click()
    const [bank] = await Promise.all([
      page.waitForEvent('popup'),
      main(page)
        .getByRole('button', { name: /^Payer/ })
        .click(),
    ])
    await bank.getByRole('button', { name: 'Annuler' }).waitFor()
    return bank
  }
  const payAtBank = async (bank: Page) => await bank.getByRole('button', { name: /^Payer/ }).click()
  const giftButton = (page: Page) => main(page).getByRole('button', { name: 'J’ai un code cadeau' })
  async function enterGift(page: Page, code: string): Promise<void> {
    if ((await popup(page).count()) === 0) await giftButton(page).click()
    await popup(page).getByLabel('Code cadeau').fill(code)
    await popup(page).getByRole('button', { name: 'Utiliser le code' }).click()
  }
  /** Opens the products screen from another screen, so that the browser makes the call and not the server. */
  async function walkToProducts(page: Page): Promise<void> {
    await visit(page, '/account/devices')
    await page.getByRole('link', { name: 'Abonnements et achats' }).first().click()
    await heading(page, 'Abonnements et achats').waitFor()
  }

  it('A1-01 A2.3-04 A2.3-14 A4.8-02 A5-23 A9-04 a voucher works from the popup of the cart to the PDF of the receipt', async () => {
    const page = await buyer(await cartPath())
    await pays(page, '5,99')
    await enter(page, '')
    await popup(page).getByText('Champ obligatoire').waitFor()
    await enter(page, 'ondine-20')
    await popup(page).waitFor({ state: 'detached' })
    await pays(page, '4,79')
    await summary(page)
      .getByText(/Code ondine-20 \(.20.%\)/)
      .waitFor()
    await summary(page)
      .getByText(/^.1,20.€$/)
      .waitFor()
    await summary(page)
      .getByText(/^5,99.€$/)
      .waitFor()
    await expectSound(page, 'a cart with a voucher')
    await summary(page).getByRole('button', { name: 'Retirer le code ondine-20' }).click()
    await pays(page, '5,99')
    await enter(page, ' Ondine 20 ')
    await pays(page, '4,79')
    await payAtBank(await pressPay(page))
    await heading(page, 'Confirmation de votre abonnement !').waitFor()

    await visit(page, '/account/products')
    const [receipt] = await callAs(page, listReceipts, {})
    expect(receipt).toMatchObject({ amount: '4.79', lines: [{ discount: '1.20' }] })
    const row = main(page)
      .getByRole('listitem')
      .filter({ hasText: `Reçu ${receipt?.number}` })
    await row.getByText(/4,79.€ \(dont 0,80.€ de TVA\)/).waitFor()
    await main(page)
      .getByRole('list', { name: 'Moyens de paiement' })
      .getByText(/^Visa •••• 4242$/)
      .waitFor()
    await expectSound(page, 'products with a receipt')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      row.getByRole('button', { name: `Télécharger ${receipt?.number} (PDF)` }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`${receipt?.number}.pdf`)
    const text = pdfText(await readFile(await download.path()))
    for (const words of [receipt?.number ?? '', 'Cinéma', '1,20 €', '4,79 €']) expect(text).toContain(words)
  })

  it('A8.3-09 a code that is unknown, not for the cart, or used is reported below the field; the cart stays unchanged', async () => {
    const film = await findAsset(origin, 'La Houle')
    const rental = `/offers/cart?contentId=${film.id}&contentType=VOD_ASSET`
    const page = await buyer(rental)
    await pays(page, '3,99')
    await enter(page, 'RIEN-DU-TOUT')
    await popup(page).getByText(INVALID).waitFor()
    // This voucher is for plans only, and the cart contains a rental.
    await enter(page, 'MAREE-2')
    await popup(page).getByText(INVALID).waitFor()
    await enter(page, 'CADEAU-ONDINE')
    await popup(page).getByText('Ce code est un cadeau').waitFor()
    await expectSound(page, 'a code that is refused')
    await page.keyboard.press('Escape')
    await popup(page).waitFor({ state: 'detached' })
    await pays(page, '3,99')
    await enter(page, 'ONDINE-20')
    await pays(page, '3,19')
    await payAtBank(await pressPay(page))
    await heading(page, 'Confirmation de votre location !').waitFor()
    await visit(page, await cartPath())
    await pays(page, '5,99')
    await enter(page, 'ONDINE-20')
    await popup(page).getByText('Ce code promotionnel a déjà été utilisé.').waitFor()
  })

  it('A9-04 A3-27 an amount is deducted once, and is still deducted when an option is added; a code that cannot be checked is reported, and can be entered again', async () => {
    const page = await buyer(await cartPath())
    await page.route('**/proxy/validateVoucher', async (route) => await route.abort('connectionrefused'))
    await enter(page, 'MAREE-2')
    await popup(page).getByText('Impossible de vérifier le code. Réessayez dans un instant.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await enter(page, 'MAREE-2')
    await pays(page, '3,99')
    await main(page)
      .getByText(/^Option Chaînes · 3,99/)
      .click()
    await pays(page, '7,98')
    await summary(page)
      .getByText(/^.2,00.€$/)
      .waitFor()
  })

  it('an order that waits for its payment keeps its price, and takes no other code', async () => {
    const page = await buyer(await cartPath())
    await enter(page, 'ONDINE-20')
    await pays(page, '4,79')
    await (await pressPay(page)).close()
    await heading(page, 'La fenêtre de paiement est fermée').waitFor()
    await main(page).getByRole('button', { name: 'Revenir au panier' }).click()
    await pays(page, '4,79')
    await summary(page).getByText('son prix ne change plus').waitFor()
    expect(await summary(page).getByRole('button', { name: 'J’ai un code promotionnel' }).count()).toBe(0)
    await payAtBank(await pressPay(page))
    await heading(page, 'Confirmation de votre abonnement !').waitFor()
  })

  it('A1-01 a voucher that leaves nothing to pay needs no card, and has no receipt', async () => {
    const film = await findAsset(origin, 'La Houle')
    const page = await buyer(`/offers/cart?contentId=${film.id}&contentType=VOD_ASSET`)
    await enter(page, 'TOUT-OFFERT')
    await main(page).getByText('je renonce pour cela').click()
    await main(page).getByRole('button', { name: 'Confirmer, rien à payer' }).click()
    await heading(page, 'Confirmation de votre location !').waitFor()
    await visit(page, '/account/products')
    await main(page).getByText('Vous n’avez pas encore de reçu. Chaque paiement en aura un.').waitFor()
    await main(page).getByText('Aucune carte enregistrée. Celle de votre prochain achat le sera.').waitFor()
  })

  it('in English the summary, the popup and the products show the same', async () => {
    const page = await buyer(await cartPath(), 'eng')
    await summary(page).getByRole('button', { name: 'I have a voucher code' }).click()
    await popup(page).getByLabel('Voucher code').fill('NOTHING')
    await popup(page).getByRole('button', { name: 'Apply' }).click()
    await popup(page).getByText('This voucher code isn’t valid.').waitFor()
    await popup(page).getByLabel('Voucher code').fill('ONDINE-20')
    await popup(page).getByRole('button', { name: 'Apply' }).click()
    await main(page).getByRole('button', { name: 'Pay €4.79' }).waitFor()
    await summary(page)
      .getByText(/^Code ONDINE-20 \(.20%\)$/)
      .waitFor()
    await visit(page, '/account/products')
    await main(page).getByText('You don’t have any receipts yet. Every payment will have one.').waitFor()
    await main(page).getByRole('button', { name: 'I have a gift code' }).waitFor()
    await expectSound(page, 'products without anything')
  })

  describe('gifts', () => {
    it('A1-01 a gift is redeemed on the offers, names its plan, and is among the products', async () => {
      const page = await buyer('/offers')
      await enterGift(page, 'ONDINE-20')
      await popup(page).getByText('Ce code cadeau n’est pas valable.').waitFor()
      await enterGift(page, '')
      await popup(page).getByText('Champ obligatoire').waitFor()
      await enterGift(page, 'cadeau ondine')
      const given = page.getByRole('alertdialog')
      await given.getByRole('heading', { name: 'Votre cadeau est là !' }).waitFor()
      await given.getByText(/^Cinéma, pendant 2 mois.: du .* au .*\. Rien ne sera prélevé\.$/).waitFor()
      await given.getByRole('button').first().click()
      await main(page)
        .getByRole('article')
        .filter({ has: page.getByRole('heading', { name: 'Cinéma', exact: true }) })
        .getByText('Déjà souscrit')
        .waitFor()
      await visit(page, '/account/products')
      await main(page)
        .getByRole('list', { name: 'Cadeaux' })
        .getByText(/^Cadeau.: disponible du .* au /)
        .waitFor()
      expect(await main(page).getByText('Vous n’avez pas encore d’abonnement.').count()).toBe(0)
      await expectSound(page, 'products with a gift')
      await enterGift(page, 'CADEAU-ONDINE')
      await popup(page)
        .getByText(/^(Ce code cadeau a déjà été utilisé\.|.*déjà un abonnement actif.*)$/)
        .waitFor()
    })

    it('a visitor signs in first, and enters the code among the products', async () => {
      const { email } = await makePerson(service, 'Iris')
      const page = await opened('/offers')
      await main(page).getByRole('link', { name: 'J’ai un code cadeau' }).click()
      await signInByForm(page, email, PASSWORD)
      await page.waitForURL(/\/account\/products/)
      await enterGift(page, 'CADEAU-ONDINE')
      await page
        .getByRole('alertdialog')
        .getByText(/^Cinéma, pendant 2 mois/)
        .waitFor()
    })
  })

  describe('receipts and payment methods', () => {
    it('a failure to load is reported, with a way to try again', async () => {
      const page = await buyer('/legal')
      for (const { path } of [listReceipts, listPaymentMethods])
        await page.route(`**${path}`, async (route) => await route.abort('connectionrefused'))
      await walkToProducts(page)
      const part = (name: string) => main(page).getByRole('region', { name })
      await part('Reçus et avoirs').getByText('Impossible d’afficher cette partie de la page.').waitFor()
      await part('Moyens de paiement').getByText('Impossible d’afficher cette partie de la page.').waitFor()
      await expectSound(page, 'products that cannot load')
      await page.unrouteAll({ behavior: 'wait' })
      await part('Reçus et avoirs').getByRole('button', { name: 'Réessayer' }).click()
      await main(page).getByText('Vous n’avez pas encore de reçu. Chaque paiement en aura un.').waitFor()
    })

    it('a receipt that no longer exists causes an alert', async () => {
      const page = await buyer('/legal')
      await page.route(`**${listReceipts.path}`, async (route) => {
        const receipt = {
          idReceipt: 999_999,
          number: 'C2026-000009',
          kind: 'creditNote',
          issuedAt: 1_780_000_000,
          amount: '8.99',
          vat: '1.50',
          vatRate: '20.00',
          lines: [],
        }
        await route.fulfill({ json: { status: true, result: [receipt] } })
      })
      await walkToProducts(page)
      await main(page).getByRole('heading', { name: 'Avoir C2026-000009' }).waitFor()
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url().includes(readReceipt.path.split(':')[0] ?? '')),
        main(page).getByRole('button', { name: 'Télécharger C2026-000009 (PDF)' }).click(),
      ])
      expect(answer.status()).toBe(404)
      await page.getByRole('alertdialog').waitFor()
      await page.unrouteAll({ behavior: 'wait' })
    })

    it('A1-02 A7.2-01 the dashboard of a provider that has one opens, and is not offered for others', async () => {
      const page = await buyer('/account/products')
      const way = main(page).getByRole('button', { name: 'Gérer mes cartes' })
      await main(page).getByText('Aucune carte enregistrée.').waitFor()
      expect(await way.count()).toBe(0)
      const methods = await callAs(page, listPaymentMethods, {})
      await page.route(`**${listPaymentMethods.path}`, async (route) => {
        await route.fulfill({
          json: { status: true, result: methods.map((method) => ({ ...method, hasDashboard: true })) },
        })
      })
      await walkToProducts(page)
      // The bank of the demonstration has no dashboard, so an alert opens.
      await way.click()
      await page.getByRole('alertdialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('alertdialog').waitFor({ state: 'detached' })
      await page.route(`**${getBillingDashboardAccess.path}?*`, async (route) => {
        const result = { dashboardUrl: `${origin}/legal?dashboard` }
        await route.fulfill({ json: { status: true, result } })
      })
      await way.click()
      await page.waitForURL(`${origin}/legal?dashboard`)
      await page.unrouteAll({ behavior: 'wait' })
    })
  })
})

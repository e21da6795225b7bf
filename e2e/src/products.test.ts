import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { availableOffers } from '@ondine/contract/offers'
import { addOptions, askPayment, checkOrderStatus } from '@ondine/contract/orders'
import { listChanges, listSubscriptions, payRenewal } from '@ondine/contract/subscriptions'
import { emailsTo } from '@ondine/server/test/emails'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { expectSound } from './checks.ts'
import { runCommand } from './operator.ts'
import { callAs, makePerson } from './people.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

const OFFERS = `packages:
  - { key: products-test, name: { fra: Essai } }
offers:
  - { key: products-test, type: subscription, name: { fra: Marée haute, eng: High tide }, price: "8.99", every: month, packages: [products-test] }
  - { key: products-large, type: subscription, name: { fra: Grande marée, eng: Spring tide }, price: "12.99", every: month, packages: [products-test], excludes: [products-test] }
  - { key: products-small, type: subscription, name: { fra: Marée basse, eng: Low tide }, price: "4.99", every: month, packages: [products-test], excludes: [products-test] }
`
const TITLE = 'Marée haute'

describe('subscriptions and purchases', () => {
  const open = testBrowser()
  const service = sharedService()
  const { origin, dataDir } = service

  beforeAll(async () => {
    await importOffers(OFFERS)
  })
  afterAll(async () => {
    for (const key of ['products-test', 'products-large', 'products-small'])
      await runCommand(dataDir, 'offers withdraw', [key])
  })

  async function importOffers(offers: string): Promise<void> {
    const file = join(tmpdir(), `ondine-products-${Date.now()}.yaml`)
    await writeFile(file, offers)
    await runCommand(dataDir, 'offers import', [file])
  }
  async function useLanguage(page: Page, language: 'fra' | 'eng'): Promise<void> {
    await page.context().addCookies([{ name: 'language', value: language, url: origin }])
  }

  /** Opens a page for a new person who is signed in. */
  async function entered(language: 'fra' | 'eng' = 'fra'): Promise<{ page: Page; email: string }> {
    const { email, password } = await makePerson(service, 'Anne', language)
    const { page } = await open()
    await useLanguage(page, language)
    await signIn(page, email, password)
    return { page, email }
  }

  /** Buys a subscription for the account of the page. */
  async function subscribe(page: Page): Promise<void> {
    const offers = await callAs(page, availableOffers, {
      offerType: 'subscription',
      contentType: 'VOD_ASSET',
    })
    const offer = offers.find(({ title }) => title === TITLE)
    await callAs(page, addOptions, { optionIds: [offer?.idOption ?? 0] })
    const { action, orderId } = await callAs(page, askPayment, {
      returnUrl: `${origin}/account/products`,
      paymentData: '{"brandBillingProviderId":5}',
      policyValidation: true,
    })
    await page.request.post(action ?? '', {
      form: { do: 'pay', card: '4242424242424242', notices: 'never' },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect((await callAs(page, checkOrderStatus, { orderId })).orderStatus).toBe('executed')
  }

  it('A2.1-18 A4.1-04 announce the next renewal, stay unchanged when a cancellation is not confirmed, are cancelled in three presses from the account, and resumed', async () => {
    const { page, email } = await entered()
    await subscribe(page)
    await visit(page, '/account/devices')
    await page.getByRole('link', { name: 'Abonnements et achats' }).first().click()
    const plan = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: TITLE }) })
    await plan.getByText(/^Renouvellement le .* pour 8,99.€$/).waitFor()
    await plan.getByText(/Visa •••• 4242/).waitFor()
    await expectSound(page, 'a subscription that renews')
    const dialog = page.getByRole('dialog')
    await plan.getByRole('button', { name: `Résilier ${TITLE}` }).click()
    await dialog.getByRole('button', { name: 'Annuler' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await callAs(page, listSubscriptions, {}))[0]?.statusId).toBe(10)
    await plan.getByRole('button', { name: `Résilier ${TITLE}` }).click()
    await dialog.getByRole('button', { name: 'Résilier' }).click()
    await plan.getByText(/^Résilié.: accès jusqu’au/).waitFor()
    // The receipt of the purchase may arrive before or after this e-mail.
    await expect
      .poll(async () => (await emailsTo(dataDir, email, 1)).map(({ subject }) => subject), {
        timeout: 60_000,
      })
      .toContain(`Votre abonnement ${TITLE} est résilié`)
    await plan.getByRole('button', { name: `Reprendre ${TITLE}` }).click()
    await plan.getByText(/^Renouvellement le/).waitFor()
    await page.reload()
    await plan.getByText(/^Renouvellement le/).waitFor()
  })

  it('A2.1-18 change to a cheaper plan with the next period, and keep the plan until then; change to a more expensive plan at once, for the difference, with the saved card', async () => {
    const { page } = await entered('eng')
    await subscribe(page)
    await visit(page, '/account/products')
    await page.getByRole('button', { name: 'Change plan: High tide' }).click()
    await page.getByRole('radio', { name: /Low tide/ }).focus()
    await page.keyboard.press('Space')
    const schedule = page.getByRole('region', { name: 'Change to Low tide' })
    await schedule.getByText(/^Nothing to pay today\. On .*: €4\.99$/).waitFor()
    await expectSound(page, 'a downgrade that is about to be scheduled')
    await schedule.getByRole('button', { name: 'Change to Low tide' }).click()
    await page.getByText(/^Changes to Low tide on .* for €4\.99$/).waitFor()
    await page.getByRole('button', { name: /^Keep High tide/ }).click()
    await page.getByText(/^Renews on .* for €8\.99$/).waitFor()
    expect((await callAs(page, listSubscriptions, {}))[0]?.change).toBeNull()

    await useLanguage(page, 'fra')
    await visit(page, '/account/products')
    // As if the account had two options that no other plan allows.
    await page.route(`**${listChanges.path}`, async (route) => {
      const response = await route.fetch()
      const { result, ...answer } = await response.json()
      const changes = result.map((change: object) => ({ ...change, endsOptions: ['Ultra', 'Chaînes'] }))
      await route.fulfill({ response, json: { ...answer, result: changes } })
    })
    await page.getByRole('button', { name: `Changer de formule : ${TITLE}` }).click()
    await page.getByRole('radio', { name: /Grande marée/ }).focus()
    await page.keyboard.press('Space')
    const confirm = page.getByRole('region', { name: 'Passer à Grande marée' })
    await confirm.getByText('avec Ultra et Chaînes, qui prennent fin tout de suite.').waitFor()
    await confirm.getByText(/^Le temps non utilisé de votre formule est déduit.: 8,9[89].€\.$/).waitFor()
    await expectSound(page, 'an upgrade that is about to be paid')
    const pay = confirm.getByRole('button', { name: /^Payer 4,0[01].€$/ })
    await pay.click()
    await confirm.getByText('Cochez cette case pour continuer.').waitFor()
    expect((await callAs(page, listSubscriptions, {})).map(({ title }) => title)).toEqual([TITLE])
    await confirm.getByRole('checkbox').focus()
    await page.keyboard.press('Space')
    await pay.click()
    await page.getByRole('heading', { name: 'Grande marée' }).waitFor()
    await page.getByText(/^Renouvellement le .* pour 12,99.€$/).waitFor()
    expect(await page.getByRole('heading', { name: TITLE, exact: true }).count()).toBe(0)
  })

  it('answer a forged or foreign order in the address with a message; show the next attempt after a declined renewal, and can be paid with another card', async () => {
    const { page } = await entered()
    await visit(page, '/account/products?orderId=999999')
    await page.getByRole('alertdialog').getByRole('button').first().click()
    await page.getByText('Vous n’avez pas encore d’abonnement.').waitFor()
    await visit(page, '/account/products?orderId=nonsense')
    await page.getByText('Vous n’avez pas encore d’abonnement.').waitFor()
    expect(await page.getByRole('alertdialog').count()).toBe(0)

    await subscribe(page)
    const [subscription] = await callAs(page, listSubscriptions, {})
    await page.route(`**${listSubscriptions.path}`, async (route) => {
      const next = { ...subscription?.next, step: 'retries' }
      const newPrice = { at: subscription?.validTo, amount: '9.99' }
      await route.fulfill({ json: { status: true, result: [{ ...subscription, next, newPrice }] } })
    })
    await page.route(`**${payRenewal.path}`, async (route) => {
      const result = { action: `${origin}/offers?paying`, amount: '8.99', orderId: 1 }
      await route.fulfill({ json: { status: true, result } })
    })
    // Opens the products from another screen. The browser then makes the call, which the test answers, and not the
    // server.
    await visit(page, '/account/devices')
    await page.getByRole('link', { name: 'Abonnements et achats' }).first().click()
    await page.getByText(/^Le paiement de 8,99.€ n’a pas abouti\. Nouvel essai le/).waitFor()
    await page.getByText(/^Nouveau prix à partir du/).waitFor()
    await expectSound(page, 'a renewal that was declined, with a new price')
    await page.getByRole('button', { name: /^Payer 8,99.€ pour Marée haute$/ }).click()
    await page.waitForURL(`${origin}/offers?paying`)
    await page.unrouteAll({ behavior: 'wait' })
  })
})

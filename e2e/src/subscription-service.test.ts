import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oauthToken, session } from '@ondine/contract/accounts'
import { casAddDevice } from '@ondine/contract/devices'
import { availableOffers } from '@ondine/contract/offers'
import { CHECKOUT_MESSAGES, refreshSubscriptions } from '@ondine/contract/subscription-service'
import { FakeCleeng, PUBLISHER_ID } from '@ondine/server/test/fake-cleeng'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage, visit } from './browser.ts'
import { CheckoutPage } from './checkout-page.ts'
import { expectSound } from './checks.ts'
import { Installation } from './installation.ts'
import { Operator, runCommand } from './operator.ts'
import { makePerson, type Person } from './people.ts'
import { closeContext } from './reused-contexts.ts'
import { call } from './service-calls.ts'

/** Name of the storefront of an ordinary installation. */
const STOREFRONT = 'ondine'
const MONTH_SECONDS = 30 * 86_400
const OFFER = 'S111111111'
const SOLD = `
packages:
  - { key: cinema, name: { fra: Cinéma, eng: Cinema } }
offers:
  - { key: cinema, type: subscription, name: { fra: Cinéma, eng: Cinema }, price: "8.99", every: month, packages: [cinema], externalIds: { cleeng-type: ${OFFER} } }
  - { key: sport, type: subscription, name: { fra: Sport, eng: Sport }, price: "5.00", every: month, packages: [cinema] }
`

describe('a subscription at another service', () => {
  const cleeng = new FakeCleeng()
  const checkout = new CheckoutPage()
  let installation: Installation
  let operator: Operator
  let browser: Browser
  let folder: string
  let offerId: number

  beforeAll(async () => {
    const settings = await cleeng.start()
    await checkout.start()
    installation = await Installation.create({
      CATALOGUE_CACHE_SECONDS: '0',
      CLEENG_API_BASE: String(settings.CLEENG_API_BASE),
      CLEENG_PUBLISHER_ID: String(settings.CLEENG_PUBLISHER_ID),
      CLEENG_PUBLISHER_TOKEN: String(settings.CLEENG_PUBLISHER_TOKEN),
      CLEENG_CHECKOUT_URL: checkout.address,
      OUTBOUND_ALLOW: '127.0.0.1',
    })
    await installation.start()
    folder = await mkdtemp(join(tmpdir(), 'ondine-sold-'))
    const file = join(folder, 'offers.yaml')
    await writeFile(file, SOLD)
    await runCommand(installation.dataDir, 'offers import', [file])
    operator = await Operator.create(installation.origin, installation.dataDir, STOREFRONT)
    await operator.set({ 'offers.subscription': 'cleeng-type', 'accounts.consent.mode': 'disabled' })
    const offers = await call(installation.origin, availableOffers, { contentType: 'VOD_ASSET' })
    expect(offers.map(({ title }) => title)).toEqual(['Cinéma'])
    offerId = offers[0]?.idOption ?? 0
    browser = await launchBrowser()
  })
  afterEach(async () => {
    cleeng.fault = () => undefined
    checkout.manner = 'ready'
    await Promise.all(browser.contexts().map(closeContext))
  })
  afterAll(async () => {
    await browser?.close()
    await installation?.remove()
    checkout.stop()
    await cleeng.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Gives a person a subscription at the subscription service. */
  function subscribe({ email }: Person): void {
    const now = Math.floor(Date.now() / 1000)
    cleeng.holds(email, {
      offerId: `${OFFER}_FR`,
      status: 'active',
      startedAt: now,
      expiresAt: now + MONTH_SECONDS,
      subscriptionId: 7,
    })
  }

  /** Opens an empty page in which a person is signed in. */
  async function pageOf({ email, password }: Person): Promise<Page> {
    const { page } = await openPage(browser, installation.origin)
    const signedIn = await page.request.post('/oauth/token', {
      form: { username: email, password, grant_type: 'password' },
      headers: { 'x-identity-key': STOREFRONT },
    })
    expect(signedIn.ok()).toBe(true)
    return page
  }

  /**
   * Opens a page for a new, signed-in person. When this person pays at the checkout, the subscription service gets
   * a subscription.
   */
  async function buyer(path: string): Promise<{ page: Page; person: Person }> {
    const person = await makePerson(installation, 'Nour')
    const page = await pageOf(person)
    checkout.onPaid = () => subscribe(person)
    await visit(page, path)
    return { page, person }
  }
  const main = (page: Page) => page.getByRole('main')
  const heading = (page: Page, name: string) => main(page).getByRole('heading', { level: 1, name })
  const till = (page: Page) => page.frameLocator('main iframe')
  const checkoutPath = () => `/offers/checkout?offerId=${offerId}`
  const alert = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))

  it('A2.1-24 A4.8-11 A5-31 subscribing leads to the page of the service, and the purchase there counts here', async () => {
    const { page, person } = await buyer('/offers')
    expect(await main(page).getByRole('article').count()).toBe(1)
    await main(page).getByRole('link', { name: 'S’abonner : Cinéma' }).click()
    await page.waitForURL((url) => url.pathname + url.search === checkoutPath())
    await heading(page, 'Paiement').waitFor()
    await till(page).getByText(PUBLISHER_ID).waitFor()
    const told = JSON.parse(await till(page).locator('pre').innerText()) as Record<string, string>
    expect(told).toMatchObject({
      customerId: String(cleeng.customers.get(person.email)),
      offerId: OFFER,
      language: 'fra',
      origin: installation.origin,
    })
    expect([told.jwt, told.refreshToken].every((part) => part !== undefined && part !== '')).toBe(true)
    await expectSound(page, 'the checkout')

    await till(page).getByRole('button', { name: 'Régler' }).click()
    await heading(page, 'Confirmation de votre abonnement !').waitFor()
    await main(page).getByRole('link', { name: 'Aller à l’accueil' }).waitFor()
    await visit(page, '/offers')
    await main(page).getByText('Déjà souscrit').first().waitFor()
    await visit(page, '/account/products')
    await main(page)
      .getByRole('list', { name: 'Abonnements' })
      .getByRole('listitem', { name: 'Cinéma' })
      .getByText('Le paiement, les reçus et la résiliation passent par notre partenaire.')
      .waitFor()
    // The partner goes on charging after the account is deleted.
    const remains = /ne résilie pas Cinéma\. Pour arrêter les paiements, .* auprès de notre partenaire/
    await visit(page, '/account/security')
    await main(page).getByText(remains).waitFor()
    await main(page).getByRole('button', { name: 'Supprimer mon compte' }).click()
    const dialog = page.getByRole('dialog', { name: 'Supprimer votre compte ?' })
    await dialog.getByText('prendront fin, sans remboursement').waitFor()
    await dialog.getByText(remains).waitFor()
    await dialog.getByRole('button', { name: 'Conserver mon compte' }).click()
  })

  /** Records the paths of a page's calls from now on. */
  function callsOf(page: Page): string[] {
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    return calls
  }

  it('V4-02 a start signs a signed-in viewer in at the service, whose subscriptions then count here at once', async () => {
    const person = await makePerson(installation, 'Nour')
    subscribe(person)
    const page = await pageOf(person)
    const calls = callsOf(page)
    await visit(page, '/offers')
    await main(page).getByText('Déjà souscrit').first().waitFor()
    expect(calls.filter((path) => path === refreshSubscriptions.path)).toHaveLength(1)
    await visit(page, '/account/products')
    await main(page)
      .getByRole('list', { name: 'Abonnements' })
      .getByRole('listitem', { name: 'Cinéma' })
      .waitFor()
  })

  it('V4-02 a start goes on without the service while that is silent', async () => {
    cleeng.fault = () => 'silent'
    const page = await pageOf(await makePerson(installation, 'Nour'))
    const answered = page.waitForResponse((response) => response.url().endsWith(refreshSubscriptions.path))
    await visit(page, '/offers')
    expect((await answered).status()).toBe(502)
    await main(page).getByRole('link', { name: 'S’abonner : Cinéma' }).waitFor()
    expect(await alert(page).count()).toBe(0)
  })

  /** Signs a person in by the form, and goes to the offers. */
  async function signInOnPage(page: Page, { email, password }: Person): Promise<void> {
    await main(page).getByLabel('Adresse e-mail').fill(email)
    await main(page).getByLabel('Mot de passe', { exact: true }).fill(password)
    await main(page).getByRole('button', { name: 'Se connecter' }).click()
    await page.waitForURL((url) => url.pathname === '/offers')
  }

  it('A4.3-03 A4.3-05 after the profiles a sign-in signs in at the service, then registers the device, and has the offers and menus of the account', async () => {
    const person = await makePerson(installation, 'Nour')
    subscribe(person)
    const { page } = await openPage(browser, installation.origin)
    await visit(page, '/auth/login?back=/offers')
    const calls = callsOf(page)
    await signInOnPage(page, person)
    await main(page).getByText('Déjà souscrit').first().waitFor()
    await page.getByRole('button', { name: 'Compte : Nour' }).waitFor()
    await expect.poll(() => calls).toContain(casAddDevice.path)
    let at = -1
    for (const { path } of [oauthToken, session, refreshSubscriptions, casAddDevice]) {
      at = calls.indexOf(path, at + 1)
      expect(at, `${path} among ${calls.join(' ')}`).toBeGreaterThan(-1)
    }
    const signedIn = calls.indexOf(oauthToken.path)
    for (const path of [availableOffers.path, '/graphql'])
      expect(calls.indexOf(path, signedIn), path).toBeGreaterThan(-1)
    await expect
      .poll(async () => (await page.context().cookies()).map(({ name }) => name))
      .toContain('device')
  })

  it('A4.3-05 a sign-in goes on without the service while that is silent', async () => {
    cleeng.fault = () => 'silent'
    const { page } = await openPage(browser, installation.origin)
    await visit(page, '/auth/login?back=/offers')
    const calls = callsOf(page)
    await signInOnPage(page, await makePerson(installation, 'Nour'))
    await expect.poll(() => calls).toContain(casAddDevice.path)
    expect(calls).toContain(refreshSubscriptions.path)
    await main(page).getByRole('link', { name: 'S’abonner : Cinéma' }).waitFor()
    expect(await alert(page).count()).toBe(0)
  })

  it('A2.1-24 a purchase that the service does not know yet is not confirmed', async () => {
    const { page } = await buyer(checkoutPath())
    checkout.onPaid = () => {}
    await till(page).getByRole('button', { name: 'Régler' }).click()
    await heading(page, 'Achat en cours de vérification').waitFor()
    await heading(page, 'Votre achat n’est pas encore confirmé').waitFor()
  })

  it('A8.3-13 a sign-in that fails at the service causes an alert, with a way to try again', async () => {
    cleeng.fault = () => 'silent'
    const { page } = await buyer(checkoutPath())
    await alert(page).getByText('La page de paiement ne s’ouvre pas').waitFor()
    await page.keyboard.press('Escape')
    cleeng.fault = () => undefined
    await main(page).getByRole('button', { name: 'Réessayer' }).click()
    await till(page).getByText(PUBLISHER_ID).waitFor()
  })

  it('A8.3-13 a page that fails, or stays silent, causes an alert', async () => {
    const { page } = await buyer(checkoutPath())
    await till(page).getByRole('button', { name: 'Échouer' }).click()
    await alert(page).getByText('La page de paiement ne s’ouvre pas').waitFor()

    checkout.manner = 'silent'
    const mute = (await buyer('/legal')).page
    await mute.clock.install()
    await visit(mute, checkoutPath())
    await till(mute).getByRole('heading', { name: 'Caisse' }).waitFor({ state: 'attached' })
    await mute.clock.runFor(21_000)
    await alert(mute).getByText('La page de paiement ne s’ouvre pas').waitFor()
  })

  it('A2.1-24 messages of other senders are ignored', async () => {
    const { page } = await buyer(checkoutPath())
    await till(page).getByText(PUBLISHER_ID).waitFor()
    // While the page loads, it requests the subscriptions too. The test waits until these requests have ended.
    await page.waitForLoadState('networkidle')
    const calls = callsOf(page)
    const before = [...cleeng.requests]
    const heard = await page.evaluate(async (types) => {
      for (const type of types) window.postMessage({ type }, '*')
      // Messages arrive in order, so this last one follows all others. When the page is then idle, the effects of
      // the others are complete.
      return await new Promise((resolve) => {
        window.addEventListener('message', ({ data }) => {
          if (data === 'last')
            requestIdleCallback(() => resolve(document.querySelector('main h1')?.textContent))
        })
        window.postMessage('last', '*')
      })
    }, Object.values(CHECKOUT_MESSAGES))
    expect(heard).toBe('Paiement')
    expect(await till(page).locator('pre').count()).toBe(1)
    expect(calls).not.toContain(refreshSubscriptions.path)
    expect(cleeng.requests).toEqual(before)
  })

  it('A2.1-24 without an offer of the service the page says that there is none, in both languages', async () => {
    const { page } = await buyer('/offers/checkout')
    await main(page).getByText('Aucun paiement en cours').waitFor()
    await page.context().addCookies([{ name: 'language', value: 'eng', url: installation.origin }])
    await visit(page, '/offers/checkout?offerId=nonsense')
    await main(page).getByText('No payment in progress').waitFor()
    await main(page).getByRole('link', { name: 'View the plans' }).click()
    await page.waitForURL((url) => url.pathname === '/offers')
    await visit(page, '/offers/checkout?offerId=999999')
    await main(page).getByText('This plan can’t be bought at the moment.').waitFor()
  })

  it('A2.1-24 frames may contain the page of the service and nothing else', async () => {
    const policyOf = async () =>
      (await fetch(`${installation.origin}/offers`)).headers.get('content-security-policy') ?? ''
    expect(await policyOf()).toContain(`frame-src ${new URL(checkout.address).origin};`)
    await operator.set({ 'offers.subscription': 'enabled' })
    expect(await policyOf()).toContain("frame-src 'none';")
    await operator.set({ 'offers.subscription': 'cleeng-type' })
  })
})

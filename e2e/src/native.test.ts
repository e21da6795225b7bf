import { logout } from '@ondine/contract/accounts'
import { availableOffers } from '@ondine/contract/offers'
import { listOptions } from '@ondine/contract/orders'
import { TestProvider } from '@ondine/server/test/identity-provider'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { APP_ORIGIN, accountIn, nativeApp, signInToApp } from './native-app.ts'
import { PASSWORD as MADE_PASSWORD, makePerson } from './people.ts'
import { videoState } from './screen.ts'
import { call, findAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testConfiguration } from './test-browser.ts'

const SUBSCRIBER = 'subscriber@ondine.test'
const RENTER = 'renter@ondine.test'
const PASSWORD = 'Ondine-2026!'
/** Time limit for a film on a busy machine, and poll interval. */
const PATIENCE = { timeout: 60_000, interval: 250 }

describe('the native app', () => {
  const open = nativeApp()
  const configure = testConfiguration()
  const { origin } = sharedService()

  const path = (page: Page) => new URL(page.url()).pathname
  /**
   * Ignores warnings about mixed content: the service of the tests has no certificate, so its pictures load over
   * HTTP.
   */
  const isFault = (complaint: string) => !complaint.includes('Mixed Content')

  it('V4-01 V2.4-12 V2.4-13 starts without a server for its pages, and shows home with the pictures of the service, without a footer and with the tab bar where the operator wants it', async () => {
    await configure({ 'navigation.navBar': true })
    const { page, complaints, start } = await open()
    await start()
    await page.getByRole('link', { name: 'La Houle' }).first().waitFor()
    expect(await page.getByRole('contentinfo').count()).toBe(0)
    await page.getByRole('navigation', { name: 'Navigation rapide' }).waitFor()
    const shown = await page
      .locator('main img')
      .first()
      .evaluate(async (picture: HTMLImageElement) => {
        await picture.decode()
        return picture.currentSrc
      })
    expect(shown.startsWith(`${origin}/images/`)).toBe(true)
    expect(complaints.filter(isFault)).toEqual([])
    await start('/auth/login')
    await page.getByLabel('Adresse e-mail').waitFor()
    expect(await page.getByRole('navigation', { name: 'Navigation rapide' }).count()).toBe(0)
  })

  it('A2.2-07 V4-01 A4.3-06 A4.3-07 starts on pages that redirect, returns there after the sign-in, keeps the tokens in the key store of the system only, and signs out of it', async () => {
    const { page, device, start } = await open()
    await start('/home')
    await page.getByRole('link', { name: 'La Houle' }).first().waitFor()
    expect(path(page)).toBe('/')
    await start('/account/favorites')
    const main = page.getByRole('main')
    await main.getByLabel('Adresse e-mail').fill(SUBSCRIBER)
    await main.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
    await main.getByRole('button', { name: 'Se connecter' }).click()
    await page.waitForURL((url) => url.pathname === '/account/favorites')
    await expect
      .poll(() => Object.keys(device.tokens))
      .toEqual(expect.arrayContaining(['x-auth-token', 'x-profile-token', 'x-device-token']))
    const stored = await page.evaluate(() => JSON.stringify([localStorage, document.cookie]))
    for (const token of Object.values(device.tokens)) expect(stored).not.toContain(token)
    expect(await page.context().cookies()).toEqual([])

    await start()
    await accountIn(page).waitFor()
    await accountIn(page).click()
    await page.getByRole('button', { name: 'Se déconnecter' }).click()
    await page.getByRole('link', { name: 'Se connecter' }).first().waitFor()
    expect(device.tokens['x-auth-token']).toBeUndefined()
  })

  it('V2.4-24 V1-13 A4.3-02 the back button goes back, and leaves the app at its first page; links of the website and of the app open their page, and links to other sites none', async () => {
    const { page, device, complaints, start, tell } = await open()
    const film = await findAsset(origin, 'La Houle')
    await start()
    await page.getByRole('link', { name: 'La Houle' }).first().waitFor()
    await tell('App appUrlOpen', { url: 'ondine://live' })
    await page.waitForURL((url) => url.pathname === '/live')
    await tell('App backButton')
    await page.waitForURL((url) => url.pathname === '/')
    expect(device.exits).toBe(0)
    await tell('App backButton')
    await expect.poll(() => device.exits).toBe(1)

    await start()
    // The link that starts the app arrives before the app listens for links.
    await tell('App appUrlOpen', { url: `${origin}${film.detailRoute}` })
    await page.getByRole('heading', { level: 1, name: 'La Houle' }).waitFor()
    for (const [url, leadsTo] of [
      ['ondine://live', '/live'],
      [`${origin}/en/epg`, '/epg'],
      [`ondine:/${film.detailRoute}?from=letter`, film.detailRoute],
      ['ondine://offers', '/offers'],
      [`${origin}/search/houle?from=letter`, '/search/houle'],
      ['ondine://', '/'],
    ] as const) {
      await tell('App appUrlOpen', { url })
      await page.waitForURL((at) => at.pathname === leadsTo)
    }
    expect(complaints.filter(isFault)).toEqual([])
    for (const url of [
      'https://evil.example/live',
      `${origin}.evil.example/live`,
      'javascript:alert(1)',
      'x',
    ])
      await tell('App appUrlOpen', { url })
    await expect
      .poll(() => complaints.filter((each) => /link that opened the app/.test(each)))
      .toHaveLength(4)
    expect(path(page)).toBe('/')
    expect(complaints.join('')).not.toContain('evil')
  })

  it('V4-26 V7-20 a film plays with previews from the service, and names the website’s page to ad servers; the back button closes a panel before it leaves', async () => {
    const app = await open()
    const { page, tell } = app
    const film = await findAsset(origin, 'La Houle')
    await signInToApp(app, SUBSCRIBER)
    const asked = page.waitForRequest((request) => request.postData()?.includes('adsMacro') === true)
    await app.start(film.detailRoute)
    await page
      .getByRole('main')
      .getByRole('link', { name: /^(?:Lecture|Reprendre)/ })
      .first()
      .click()
    const input: Record<string, string> = (await asked).postDataJSON()
    expect(JSON.parse(input['adsMacro'] ?? '')).toMatchObject({
      page_url: expect.stringContaining(`${origin}/player?asset=${film.id}`),
    })
    await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(0)

    const preview = page.waitForResponse(
      (response) =>
        response.url().startsWith(`${origin}/media/`) && response.request().resourceType() === 'image',
    )
    await page.mouse.move(200, 400)
    const bar = await page.getByRole('slider', { name: 'Position' }).boundingBox()
    if (bar === null) throw new Error('The player has no bar.')
    await page.mouse.move(bar.x + bar.width / 2, bar.y + bar.height / 2)
    expect((await preview).ok()).toBe(true)

    await page.getByRole('button', { name: 'Audio et sous-titres' }).click()
    const panel = page.getByRole('dialog', { name: 'Audio et sous-titres' })
    await panel.waitFor()
    await tell('App backButton')
    await panel.waitFor({ state: 'detached' })
    expect(path(page)).toBe('/player')
    await tell('App backButton')
    await page.getByRole('heading', { level: 1, name: 'La Houle' }).waitFor()
    expect(path(page)).toBe(film.detailRoute)
  })

  it('A4.3-01 the identity provider opens in a browser above the app, and a link returns from it', async () => {
    const provider = new TestProvider()
    await provider.start(`${origin}/auth/callback`)
    try {
      await configure({
        'accounts.authentication.issuer': provider.issuer,
        'accounts.authentication.clientId': 'without-secret',
        'accounts.authentication.providerName': { fra: 'Marine', eng: 'Navy' },
      })
      const { page, device, start, tell } = await open()
      await start('/account/favorites')
      await page.getByRole('button', { name: 'Continuer avec Marine' }).click()
      await expect.poll(() => device.opened).toHaveLength(1)
      expect(path(page)).toBe('/auth/login')
      // The in-app browser has none of the app's tokens. It follows the provider's redirects to the website's
      // callback.
      const above = await page.context().newPage()
      const back = above.waitForRequest((request) => request.url().startsWith(`${origin}/auth/callback?`))
      await above.goto(device.opened[0] ?? '')
      await tell('App appUrlOpen', { url: (await back).url() })
      await page.waitForURL((url) => url.pathname === '/account/favorites')
      await page.getByRole('button', { name: 'Compte : Camille' }).waitFor()
      expect(device.tokens['x-sign-on-token']).toBeUndefined()
    } finally {
      await provider.stop()
    }
  })

  it('A2.2-06 V2.4-15 A4.4-04 without a connection there are the downloads if they are enabled, else a page that says so; starts as a visitor when the sign-in was ended elsewhere, and with a key store that fails', async () => {
    const app = await open()
    const { page, device, start, tell } = app
    await configure({ 'downloads.downloadEnabled': true })
    await signInToApp(app, SUBSCRIBER)
    // Only the sign-in of a registered device can be ended elsewhere.
    await expect.poll(() => device.tokens['x-device-token']).toBeDefined()
    await page.context().setOffline(true)
    await page.getByText('Vous êtes hors connexion.').waitFor()
    await tell('App appUrlOpen', { url: 'ondine://live' })
    await page.waitForURL((url) => url.pathname === '/library/downloads')
    await page.context().setOffline(false)
    await page.getByText('La connexion est rétablie.').waitFor()

    await configure({ 'downloads.downloadEnabled': false })
    await start()
    await accountIn(page).waitFor()
    await page.context().setOffline(true)
    await tell('App appUrlOpen', { url: 'ondine://live' })
    await page.getByRole('heading', { level: 1, name: 'Vous êtes hors connexion' }).waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { level: 1, name: /direct/i }).waitFor()

    const headers = { 'x-identity-key': 'demo', ...device.tokens }
    expect((await fetch(origin + logout.path, { method: logout.method, headers })).ok).toBe(true)
    await start()
    await page.getByRole('link', { name: 'Se connecter' }).first().waitFor()
    expect(device.tokens['x-auth-token']).toBeUndefined()

    device.isKeyStoreBroken = true
    await signInToApp(app, SUBSCRIBER)
    await start()
    await page.getByRole('link', { name: 'Se connecter' }).first().waitFor()
  })

  it('V1-04 A4.8-12 sells nothing, and its buttons lead to the website in a browser above the app', async () => {
    await configure({ 'settings.share-url': 'https://watch.test' })
    const app = await open()
    const { page, device, start } = app
    await signInToApp(app, RENTER)
    const film = await findAsset(origin, 'La Houle')
    const main = page.getByRole('main')
    await start(film.detailRoute)
    await main.getByRole('button', { name: 'S’abonner' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ouvrir le site' }).click()
    await expect.poll(() => device.opened).toEqual(['https://watch.test/offers'])
    device.opened.length = 0
    await start('/account/products')
    await main.getByRole('button', { name: 'J’ai un code cadeau' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ouvrir le site' }).click()
    await expect.poll(() => device.opened).toEqual(['https://watch.test/account/products'])
    for (const place of ['/offers', '/offers/cart']) {
      device.opened.length = 0
      await start(place)
      await main.getByRole('link', { name: 'Ouvrir le site' }).click()
      await expect.poll(() => device.opened).toEqual(['https://watch.test/offers'])
      expect(path(page)).toBe(place)
    }
  })

  it('A1-01 A7.3-01 with mobilePayment, a plan is bought in the store of the device and linked to the account', async () => {
    await configure({ 'offers.mobilePayment': true })
    const app = await open()
    const { page, device, start } = app
    await signInToApp(app, (await makePerson(sharedService(), 'Nour')).email, MADE_PASSWORD)
    const [plan] = (await call(origin, availableOffers, { contentType: 'VOD_ASSET' })).filter(
      ({ title }) => title === 'Cinéma',
    )
    await page.route(`${origin}${listOptions.path}`, async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      for (const line of answer.result) line.externalId = [{ store: 'google', id: 'tv.cinema' }]
      await route.fulfill({ response, json: answer })
    })
    const links: URLSearchParams[] = []
    await page.route(`${origin}/inapp/*/link`, async (route) => {
      links.push(new URLSearchParams(route.request().postData() ?? ''))
      const result = {
        idOption: plan?.idOption,
        isActive: true,
        statusId: 10,
        userValidityFrom: 1,
        userValidityTo: 2,
      }
      await route.fulfill({
        json: { status: true, result },
        headers: { 'access-control-allow-origin': APP_ORIGIN },
      })
    })
    const main = page.getByRole('main')
    await start(`/offers/cart?offerId=${plan?.idOption}`)
    device.isCancelling = true
    await main.getByText('je renonce pour cela').click()
    await main.getByRole('button', { name: 'Payer' }).click()
    await expect.poll(async () => await main.getByRole('button', { name: 'Payer' }).count()).toBe(1)
    expect(path(page)).toBe('/offers/cart')
    expect(links).toEqual([])

    device.isCancelling = false
    await main.getByRole('button', { name: 'Payer' }).click()
    await page.waitForURL((url) => url.pathname === '/account/products')
    expect(device.bought).toEqual(['tv.cinema'])
    expect(links.map((sent) => [sent.get('provider'), sent.get('transactionParams')])).toEqual([
      ['google', '{"productId":"tv.cinema","purchaseToken":"token-of-tv.cinema"}'],
    ])
    // At each start, the app sends all purchases on the device again, in case an earlier request was interrupted.
    await start()
    await expect.poll(() => links).toHaveLength(2)
  })
})

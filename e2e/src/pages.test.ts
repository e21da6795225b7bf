import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage, signIn, visit } from './browser.ts'
import { axeFaults, expectToFit, WIDTHS } from './checks.ts'
import { signInByForm } from './people.ts'
import { findAsset, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'

const LANGUAGES = [
  { code: 'fra', tag: 'fr', locale: 'fr-FR' },
  { code: 'eng', tag: 'en', locale: 'en-GB' },
]

describe('pages', () => {
  let browser: Browser
  const { origin } = sharedService()
  const paths: Record<string, string> = {
    home: '/',
    content: '/all-content',
    live: '/live',
    signIn: '/auth/login',
  }

  beforeAll(async () => {
    browser = await launchBrowser()
    paths.film = (await findAsset(origin, 'La Houle')).detailRoute
    const episode = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
    paths.episode = episode.detailRoute
    paths.channel = (await findChannel(origin, 'Rive')).detailRoute
    const home = await (await fetch(origin)).text()
    paths.series = /href="(\/series\/le-metier-\d+\/details)"/.exec(home)?.[1] ?? ''
    paths.category = /href="(\/category\/films-\d+)"/.exec(home)?.[1] ?? ''
  })
  afterAll(async () => await browser.close())

  it('V2.1-01 V2.1-02 V2.1-03 V2.1-05 V2.1-09 V2.1-11 V2.1-24 V2.4-25 come from the server with title and description', async () => {
    for (const [name, path] of Object.entries(paths)) {
      const response = await fetch(origin + path)
      const html = await response.text()
      expect(response.status, name).toBe(200)
      const title = /<title>([^<]+)<\/title>/.exec(html)?.[1] ?? ''
      const description = /<meta name="description" content="([^"]+)"/.exec(html)?.[1] ?? ''
      expect(title.length, `title of ${name}`).toBeGreaterThan(3)
      expect(title.length, `title of ${name}`).toBeLessThanOrEqual(70 + ' ...'.length)
      expect(description.length, `description of ${name}`).toBeGreaterThan(10)
      expect(description.length, `description of ${name}`).toBeLessThanOrEqual(150 + ' ...'.length)
    }
    expect(await (await fetch(origin + paths.film)).text()).toContain('La Houle')
  })

  it('V2.1-27 an unknown page is a 404 with a message', async () => {
    for (const path of [
      '/nothing/here',
      '/content/nothing-999999',
      '/content/nothing',
      '/no-such-page',
      '/channel/x-999',
      '//elsewhere.test/live',
    ]) {
      expect((await fetch(origin + path)).status, path).toBe(404)
    }
    const { page } = await openPage(browser, origin)
    await visit(page, '/nothing/here')
    await page.getByRole('heading', { name: 'Page introuvable' }).waitFor()
    // The missing words can be searched for at once.
    const main = page.getByRole('main')
    await main.getByRole('searchbox', { name: 'Rechercher' }).fill('  Houle ')
    await main.getByRole('button', { name: 'Lancer la recherche' }).click()
    await page.waitForURL((url) => url.pathname === '/search/houle')
    await page.context().close()
  })

  it('a missing file gets a short answer, and the icon has the usual address', async () => {
    for (const path of ['/assets/gone-C0ffee.js', '/robots.txt', '/apple-touch-icon.png?size=180']) {
      const answer = await fetch(origin + path)
      expect(answer.status, path).toBe(404)
      expect((await answer.text()).length, path).toBeLessThan(3000)
    }
    const icon = await fetch(`${origin}/favicon.ico`)
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    // An address that only looks like a file is a page.
    expect((await fetch(`${origin}/search/houle.mp4`)).status).toBe(200)
  })

  it('data sent to a page is refused like an unknown call', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await fetch(`${origin}/live`, { method })
      expect(answer.status, method).toBe(404)
      expect(await answer.json(), method).toMatchObject({ status: false, error: { code: -7 } })
    }
  })

  it.each(LANGUAGES)(
    'in $code log nothing on the console, have no fault that axe finds, and fit every width',
    async ({ code, tag, locale }) => {
      const { page, complaints } = await openPage(browser, origin, { locale })
      await page.context().addCookies([{ name: 'language', value: code, url: origin }])
      for (const [name, path] of Object.entries(paths)) {
        await visit(page, path)
        await page.getByRole('main').waitFor()
        expect(await page.locator('html').getAttribute('lang'), name).toBe(tag)
        for (const width of WIDTHS) await expectToFit(page, width, name)
        expect(await axeFaults(page), name).toEqual([])
      }
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  it('A8.2-01 the sign-in explains an error in words, then succeeds; signing out works', async () => {
    const { page } = await openPage(browser, origin)
    await visit(page, '/auth/login')
    const submit = page.getByRole('main').getByRole('button', { name: 'Se connecter' })
    await page.getByLabel('Adresse e-mail').fill('subscriber@ondine.test')
    await page.getByLabel('Mot de passe', { exact: true }).fill('wrong')
    await submit.click()
    await page.getByText('E-mail ou mot de passe incorrect').waitFor()
    await signInByForm(page, 'subscriber@ondine.test', 'Ondine-2026!')
    await page.waitForURL((url) => url.pathname === '/')
    await page.getByRole('button', { name: /Compte\s:/ }).click()
    await page.getByRole('button', { name: 'Se déconnecter' }).click()
    await page.getByRole('link', { name: 'Se connecter' }).first().waitFor()
    await page.context().close()
  })

  it('V6-02 V6-03 a visitor is asked to sign in, a subscriber may play, an account without a subscription finds it locked', async () => {
    const film = paths.film ?? ''
    const visitor = await openPage(browser, origin)
    await visit(visitor.page, film)
    await visitor.page
      .getByRole('main')
      .getByRole('link', { name: /Se connecter/ })
      .first()
      .waitFor()
    expect(await visitor.page.getByRole('link', { name: /^Lecture/ }).count()).toBe(0)

    const renter = await openPage(browser, origin)
    await signIn(renter.page, 'renter@ondine.test')
    await visit(renter.page, film)
    await renter.page.getByText('Vous n’avez pas d’abonnement pour ce titre.').first().waitFor()
    expect(await renter.page.getByRole('link', { name: /^(Lecture|Reprendre)/ }).count()).toBe(0)
    await visitor.page.context().close()
    await renter.page.context().close()
  })

  it('block scripts and frames of other sites', async () => {
    const { headers } = await fetch(origin)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src [^;]*'sha256-/)
    expect(policy).not.toMatch(/script-src [^;]*'unsafe-inline'/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBeTruthy()
  })
})

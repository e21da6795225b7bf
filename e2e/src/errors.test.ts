import { ERRORS, type ErrorName } from '@ondine/contract/errors'
import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { axeFaults } from './checks.ts'
import { findAsset, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

/** Answers a call with an error of the service. */
function refuse(name: ErrorName, language: 'fra' | 'eng' = 'fra') {
  const { code, status, text } = ERRORS[name]
  return async (route: Route) =>
    await route.fulfill({
      status,
      json: { status: false, error: { code, message: text[language], details: null } },
    })
}

describe('errors', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const { origin } = sharedService()
  let filmEnd = ''
  let channel = ''

  beforeAll(async () => {
    // The film's slug begins with a title that depends on the language, and ends with the id.
    filmEnd = `-${(await findAsset(origin, 'La Houle')).id}`
    channel = (await findChannel(origin, 'Rive')).detailRoute
  })

  /** Opens the list of all titles. */
  async function openList(language: 'fra' | 'eng' = 'fra'): Promise<{ page: Page; complaints: string[] }> {
    const { page, complaints } = await open()
    await page.context().addCookies([{ name: 'language', value: language, url: origin }])
    await visit(page, '/all-content')
    return { page, complaints }
  }

  /** Follows the link of the list to the film. `handle` answers the call `contentData` of the film's page. */
  async function toFilm(page: Page, handle: (route: Route) => Promise<void>): Promise<void> {
    await page.route('**/proxy/contentData*', handle)
    await page.locator(`main a[href^="/content/"][href$="${filmEnd}"]`).first().click()
  }

  /**
   * Returns to the list by `way`, and follows its link to the film again, see {@link toFilm}. Routes the call
   * before `way`, because after the return the pointer may hover the link, which requests the film.
   */
  async function toFilmAgain(
    page: Page,
    handle: (route: Route) => Promise<void>,
    way = async (): Promise<unknown> => await page.goBack(),
  ): Promise<void> {
    await page.unrouteAll({ behavior: 'wait' })
    await page.route('**/proxy/contentData*', handle)
    await way()
    await page.locator(`main a[href^="/content/"][href$="${filmEnd}"]`).first().click()
  }

  /** Opens the list of all titles, and then the page of the film, see {@link toFilm}. */
  async function openFilm(
    handle: (route: Route) => Promise<void>,
    language: 'fra' | 'eng' = 'fra',
  ): Promise<{ page: Page; complaints: string[] }> {
    const opened = await openList(language)
    await toFilm(opened.page, handle)
    return opened
  }

  const NO_ANSWERS: [string, (route: Route) => Promise<void>][] = [
    ['is out of reach', async (route) => await route.abort('connectionrefused')],
    [
      'answers with markup of something in between',
      async (route) => await route.fulfill({ status: 502, body: '<html>502</html>' }),
    ],
    ['answers half', async (route) => await route.fulfill({ body: '{"status":true,"res' })],
    ['answers something else', async (route) => await route.fulfill({ json: { ok: 1 } })],
  ]

  it('A8.3-05 V2.4-23 a service that is out of reach, or does not answer what was asked, leads to the error page 503 with a way on', async () => {
    const { page, complaints } = await openList()
    const main = page.getByRole('main')
    for (const [number, [what, handle]] of NO_ANSWERS.entries()) {
      complaints.length = 0
      if (number === 0) await toFilm(page, handle)
      else await toFilmAgain(page, handle)
      await page.getByRole('heading', { name: 'Une erreur est survenue' }).waitFor()
      await main.getByText('Le service ne répond pas. Réessayez dans un instant.').waitFor()
      await main.getByText('Code d’erreur 503').waitFor()
      await main.getByText(/^Référence [0-9a-f]{32}$/).waitFor()
      const notes = complaints.filter((each) => each.startsWith('console error: An error of the service'))
      expect(notes, what).toHaveLength(1)
    }
    expect(await axeFaults(page)).toEqual([])
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Réessayer' }).click()
    await page.getByRole('heading', { name: 'La Houle' }).waitFor()
  })

  it.each([
    {
      language: 'fra',
      refusal: 'noViewingRights',
      code: 'Code d’erreur 11',
      slowDown: ['Doucement !', 'Trop de tentatives. Veuillez réessayer plus tard.'],
      fault: 'Quelque chose n’a pas fonctionné de notre côté. Réessayez, ou revenez à l’accueil.',
      retry: 'Réessayer',
      film: 'La Houle',
      home: 'Retour à l’accueil',
    },
    {
      language: 'eng',
      refusal: 'ipRestricted',
      code: 'Error code 451',
      slowDown: ['Slow down!', 'Too many connection attempts. Please try later'],
      fault: 'Something went wrong on our side. Try again, or go back to home.',
      retry: 'Try again',
      film: 'The Swell',
      home: 'Back to home',
    },
  ] as const)(
    'V2.4-23 A8.3-06 in $language a refusal, code 429 and a fault of the page are shown in words, the fault as code 500 with its message only on the console',
    async ({ language, refusal, code, slowDown, fault, retry, film, home }) => {
      const { page, complaints } = await openList(language)
      const main = page.getByRole('main')
      await toFilm(page, refuse('slowDown', language))
      await page.getByRole('heading', { name: slowDown[0] }).waitFor()
      await page.getByText(slowDown[1]).waitFor()

      await toFilmAgain(page, refuse(refusal, language))
      await main.getByText(ERRORS[refusal].text[language]).waitFor()
      await main.getByText(code).waitFor()
      await main.getByRole('link', { name: home }).click()
      await page.waitForURL(`${origin}/`)

      await toFilmAgain(
        page,
        async (route) => await route.fulfill({ json: { status: true, result: { content: 7 } } }),
        async () => await page.evaluate(() => history.pushState({}, '', '/all-content')),
      )
      await main.getByText(fault).waitFor()
      await main.getByText(/ 500$/).waitFor()
      expect(await main.textContent()).not.toMatch(/undefined|TypeError/)
      expect(complaints.join()).toMatch(/An error of the page.*undefined/)
      await page.unrouteAll({ behavior: 'wait' })
      await page.getByRole('button', { name: retry }).click()
      await page.getByRole('heading', { name: film }).waitFor()
    },
  )

  it('the player links to the offers only where there are any', async () => {
    const shops = [
      ['is here', { 'offers.subscription': 'enabled' }, 1],
      ['sells nothing', { 'offers.subscription': 'disabled', 'offers.transactional': 'disabled' }, 0],
      [
        'is elsewhere',
        { 'offers.subscription': 'external', 'offers.externalUrl': 'https://shop.test/plans' },
        1,
      ],
    ] as const
    const { page } = await open()
    // This viewer has no plan. A viewer with a plan gets no offer of another plan with the same titles.
    await signIn(page, 'renter@ondine.test')
    await page.route('**/proxy/testAsset', refuse('noViewingRights'))
    for (const [shop, offers, links] of shops) {
      await configure({ 'offers.isOfferScreenEnable': true, ...offers })
      await visit(page, `/player?asset=${filmEnd.slice(1)}`)
      await page.getByText(ERRORS.noViewingRights.text.fra).waitFor()
      const offersLink = page.getByRole('link', { name: 'Voir les offres' })
      await expect.poll(async () => await offersLink.count(), { message: `the shop ${shop}` }).toBe(links)
    }
  })

  it('V8-07 the player says that content is not available if it is missing, withdrawn or without a video', async () => {
    const { page } = await open()
    await signIn(page, 'renter@ondine.test')
    const unavailable = page.getByRole('alertdialog', { name: 'Contenu indisponible' })
    const text = unavailable.getByText('Désolé, ce contenu n’est actuellement pas disponible.')
    await visit(page, '/player?asset=999999')
    await text.waitFor()
    for (const refusal of ['resourceNotActive', 'noMediaFound'] as const) {
      // The player makes both calls at once, and shows the refusal that arrives first.
      await page.route(/\/proxy\/(?:testAsset|readAsset)$/, refuse(refusal))
      await visit(page, `/player?asset=${filmEnd.slice(1)}`)
      await text.waitFor()
      await unavailable.getByText(`Code ${-ERRORS[refusal].code}`).waitFor()
    }
    await visit(page, '/player?channel=999999')
    await text.waitFor()
    await unavailable.getByText(`Code ${-ERRORS.channelNotFound.code}`).waitFor()
  })

  it('V8-01 without the catalogue’s tree there is the error page 503', async () => {
    const { page } = await open()
    await visit(page, '/design')
    await page.route('**/proxy/hierarchy*', async (route) => await route.abort())
    await page.getByRole('main').getByRole('link', { name: 'Mentions légales' }).click()
    await page.getByRole('heading', { name: 'Une erreur est survenue' }).waitFor()
    await page.getByText('Code d’erreur 503').waitFor()
  })

  it('V4-58 a slow service shows that the page is loading, then the page, and opens no modal', async () => {
    let letGo: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const { page, complaints } = await openFilm(async (route) => {
      await held
      await route.continue()
    })
    await page.locator('[data-global-loader][data-busy="true"]').waitFor()
    await page.locator('main [aria-busy="true"]').waitFor()
    expect(await page.locator('[role=dialog], [role=alertdialog]').count()).toBe(0)
    letGo()
    await page.getByRole('heading', { name: 'La Houle' }).waitFor()
    await page.locator('[data-global-loader][data-busy="false"]').waitFor()
    expect(complaints).toEqual([])
  })

  it('a rail that cannot be shown leaves the others alone, and comes back when it can', async () => {
    const { page } = await open()
    await visit(page, '/live')
    let broken = ''
    let pressed = false
    let asked = 0
    let releaseFirst = () => {}
    await page.route('**/proxy/homeContent*', async (route) => {
      if (pressed) {
        asked += 1
        if (asked === 1) await new Promise<void>((resolve) => (releaseFirst = resolve))
        else releaseFirst()
        return await route.continue()
      }
      const response = await route.fetch()
      const answer = await response.json()
      const rails = answer.result.filter((rail: { kind: string }) => rail.kind === 'category')
      broken = rails[0].title
      rails[0].items = [{ type: 'asset', payload: { idAsset: 1 } }]
      // Ends the current programme soon, so that the page then requests new data without a press.
      const soon = Math.floor(Date.now() / 1000) + 5
      for (const { items } of answer.result)
        for (const { programme } of items) if (programme != null) programme.endutc = soon
      await route.fulfill({ response, json: answer })
    })
    await page.getByRole('navigation').getByRole('link', { name: 'Accueil' }).first().click()
    await page.getByText('Impossible d’afficher cette partie de la page.').waitFor()
    const part = page.getByRole('region', { name: broken, exact: true })
    expect(await part.count()).toBe(1)
    expect(await page.getByRole('heading', { name: 'Une erreur est survenue' }).count()).toBe(0)
    expect(await page.locator('main a[href^="/content/"], main a[href^="/series/"]').count()).toBeGreaterThan(
      1,
    )
    // When the programme ends, the page requests new data and cancels the request of the press. The press must
    // still have its effect.
    pressed = true
    await part.getByRole('button', { name: 'Réessayer' }).click()
    await expect.poll(() => asked).toBeGreaterThan(1)
    await page.getByText('Impossible d’afficher cette partie de la page.').waitFor({ state: 'detached' })
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('a rail with its own data comes back too, with the articles that the press requested; an article without a picture shows its kind in place of the picture', async () => {
    const { page } = await open()
    await visit(page, '/live')
    let isBroken = true
    await page.route('**/proxy/listEditorial*', async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      if (isBroken) answer.result.items = [null]
      else for (const article of answer.result.items) article.image = null
      await route.fulfill({ response, json: answer })
    })
    await page.getByRole('navigation').getByRole('link', { name: 'Accueil' }).first().click()
    const fault = page.getByText('Impossible d’afficher cette partie de la page.')
    await fault.waitFor()
    isBroken = false
    await page.getByRole('button', { name: 'Réessayer' }).click()
    await fault.waitFor({ state: 'detached' })
    const article = page.locator('main li a[href^="/read/"]').first()
    await article.scrollIntoViewIfNeeded()
    await expect.poll(async () => await article.locator('img').count()).toBe(0)
    expect(await article.locator('[class^="kind_"]').first().textContent()).toMatch(/\p{L}{3}/u)

    // The large article at the top of a list also shows its kind.
    await page.evaluate(() => history.pushState({}, '', '/read/articles'))
    const lead = page.locator('main a[class*="lead"]')
    const place = lead.locator('[class^="kind_"]')
    await place.waitFor()
    expect(await place.textContent()).toBe('Article')
    expect(await lead.locator('img').count()).toBe(0)
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('the player with nothing to play offers a search and a link to home', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, '/player')
    const main = page.getByRole('main')
    await main.getByRole('heading', { level: 1, name: 'Rien à regarder' }).waitFor()
    expect(await main.getByRole('link', { name: 'Retour à l’accueil' }).getAttribute('href')).toBe('/')
    expect(await axeFaults(page)).toEqual([])
    await main.getByRole('searchbox').fill('houle')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search/houle')
    expect(complaints).toEqual([])
  })

  it('V8-03 without the guide a channel still has its page: the fault is logged, and its part can be tried again', async () => {
    const { page, complaints } = await open()
    await visit(page, '/live')
    await page.route('**/proxy/epg*', async (route) => await route.abort())
    await page.locator(`main a[href="${channel}"]`).first().click()
    await page.getByText('Impossible d’afficher cette partie de la page.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Rive' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Une erreur est survenue' }).count()).toBe(0)
    expect(await page.locator('[role=dialog], [role=alertdialog]').count()).toBe(0)
    expect(complaints.filter((each) => each.includes('An error of the service'))).toHaveLength(1)
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Réessayer' }).click()
    await page.getByRole('heading', { name: /Aujourd’hui sur Rive/ }).waitFor()
  })

  it.each([
    ['fra', 'Compte :', 'Changer de profil', 'Une erreur est survenue', 'Il n’y a rien à payer.'],
    ['eng', '’s account', 'Switch profile', 'An error has occurred', 'There is nothing to pay.'],
  ] as const)(
    'A8.1-01 in %s a refused action causes an alert with the text of its code',
    async (language, account, action, title, text) => {
      const { page } = await open()
      await page.context().addCookies([{ name: 'language', value: language, url: origin }])
      await signIn(page, 'subscriber@ondine.test')
      await visit(page, '/live')
      await page.route('**/crm/profile*', refuse('nothingToPay', language))
      await page.getByRole('button', { name: account }).click()
      await page.getByRole('button', { name: action }).click()
      const alert = page.getByRole('alertdialog', { name: title })
      await alert.getByText(text).waitFor()
      await alert.getByText('Code 500').waitFor()
      await page.keyboard.press('Escape')
      await alert.waitFor({ state: 'detached' })
    },
  )

  it('A8.3-02 code -411 opens the device management, whichever call returns it, and leads to the devices', async () => {
    const { page } = await openFilm(refuse('tooManyDevices'))
    const dialog = page.getByRole('dialog', { name: 'Vos appareils' })
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'Gérer mes appareils' }).click()
    await page.waitForURL((url) => url.pathname === '/account/devices' || url.pathname === '/auth/login')
    await dialog.waitFor({ state: 'detached' })
  })

  it('V8-08 V2.4-24 the console shows the call, its input, its trace and the message of the service once; when the error page itself fails, a plain sentence and a link to home remain', async () => {
    const { page, complaints } = await openFilm(refuse('nothingToPay'))
    await page.getByText('Code d’erreur 500').waitFor()
    const notes = () => complaints.filter((each) => each.startsWith('console error: An error of the service'))
    await expect.poll(notes).toHaveLength(1)
    expect(notes()[0]).toContain('/proxy/contentData')
    expect(notes()[0]).toContain('method: POST')
    expect(notes()[0]).toContain('payload: ')
    expect(notes()[0]).toMatch(/traceparent: 00-[0-9a-f]{32}-[0-9a-f]{16}-01/)
    expect(notes()[0]).toContain(ERRORS.nothingToPay.text.fra)

    // The error page shows the trace id. This answer has a number as the trace id, so the error page fails too.
    await toFilmAgain(
      page,
      async (route) =>
        await route.fulfill({
          status: 400,
          json: { status: false, error: { code: -500, message: 'Nothing', details: { traceparent: 5 } } },
        }),
    )
    await page.getByText('An error has occurred. Would you like to try again?').waitFor()
    await page.getByRole('link', { name: 'Back to home' }).click()
    await page.waitForURL(`${origin}/`)
  })

  it('V2.4-15 a browser that blocks the data of sites shows every page, and the notices below it', async () => {
    const { page, complaints } = await open()
    await page.addInitScript(() => {
      const block = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      }
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
        Object.defineProperty(window, name, { get: block })
      Object.defineProperty(window, 'BroadcastChannel', { value: block })
    })
    for (const address of ['/', '/live', `/content/x${filmEnd}`, '/register/informations']) {
      await visit(page, address)
      // The notice is one of the parts that load when the browser is idle.
      await expect
        .poll(async () => {
          await page.evaluate(() => dispatchEvent(new Event('offline')))
          return await page.getByRole('status').filter({ hasText: 'hors connexion' }).isVisible()
        })
        .toBe(true)
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
      expect(await page.getByText('500').count()).toBe(0)
    }
    expect(complaints).toEqual([])
  })

  it('V2.4-24 when the shell around it fails too, a bare page and a link to home remain', async () => {
    const { page, complaints } = await open()
    await page.route(`${origin}/legal`, async (route) => {
      const response = await route.fetch()
      const { 'content-length': _length, ...headers } = response.headers()
      // Replaces the list of image heights in the page's configuration by a number. This invalid configuration
      // makes the shell around the error page fail too.
      const body = (await response.text()).replace(/"imageHeights":\[[\d,]*\]/, '"imageHeights":7')
      expect(body).toContain('"imageHeights":7')
      await route.fulfill({ response, headers, body })
    })
    await page.goto('/legal')
    await page.getByText('An error has occurred. Would you like to try again?').waitFor()
    expect(await page.getByText('Something went wrong').count()).toBe(0)
    expect(complaints.filter((each) => each.includes('An error of the page'))).not.toEqual([])
    await page.getByRole('link', { name: 'Retour à l’accueil' }).click()
    await page.waitForURL(`${origin}/`)
    await page.getByRole('main').waitFor()
  })
})

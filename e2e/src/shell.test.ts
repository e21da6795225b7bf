import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { MOVING, visit } from './browser.ts'
import { findAsset } from './service-calls.ts'
import { bar, entry, NATIVE, PHONE, path, shellPages } from './shell-pages.ts'

const TABLET = { viewport: { width: 820, height: 1000 }, hasTouch: true }
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130 Mobile Safari/537.36'

/**
 * Waits until the code that reports a lost connection is loaded. With the code, the page gets the `output` element
 * for its messages.
 */
const messagesLoaded = async (page: Page) =>
  await page.locator('output').first().waitFor({ state: 'attached' })

describe('the shell', () => {
  const { origin, operator, opened } = shellPages()

  it('V2.2-16 V2.4-02 V2.4-03 V4-09 shows links and dropdowns of the menu; a press outside, Escape or a navigation closes them', async () => {
    await operator.publish({
      fra: {
        header: [
          entry('Accueil', '/'),
          { ...entry('Direct', 'live'), image: 'live' },
          entry('Dehors', '//example.org/'),
          {
            ...entry('Rayons', 'assets', [
              { title: 'Premier', reference: '/others' },
              { title: 'Deuxième', reference: 'legal' },
            ]),
            image: 'film',
          },
        ],
      },
    })
    const page = await opened('/legal')
    const heading = page.getByRole('heading', { level: 1 })
    const legal = await heading.innerText()
    const outside = bar(page).getByRole('link', { name: 'Dehors' })
    expect(await outside.getAttribute('target')).toBe('_blank')
    const opener = bar(page).getByRole('button', { name: 'Rayons' })
    for (const shown of [bar(page).getByRole('link', { name: 'Direct' }), opener])
      await shown.locator('img').waitFor()
    expect(await outside.locator('img').count()).toBe(0)
    const link = bar(page).getByRole('link', { name: 'Premier' })
    await opener.click()
    await link.waitFor()
    await page.mouse.click(640, 600)
    await link.waitFor({ state: 'hidden' })
    await opener.focus()
    await page.keyboard.press('Enter')
    await link.waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await link.waitFor({ state: 'hidden' })
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
    await opener.click()
    await link.click()
    await page.waitForURL((url) => url.pathname === '/others')
    expect(await opener.getAttribute('aria-expanded')).toBe('false')
    await page.goBack()
    await heading.filter({ hasText: legal }).waitFor()
    expect(await opener.getAttribute('aria-expanded')).toBe('false')
    await bar(page).getByRole('link', { name: 'Direct' }).click()
    await page.waitForURL((url) => url.pathname === '/live')
  })

  it('V2.4-02 V2.4-05 V4-11 marks the entry that a page belongs to, after a move; opens a dropdown within the gutters of the window; has a solid ground after 16 pixels', async () => {
    const page = await opened((await findAsset(origin, 'La Houle')).detailRoute)
    const marked = bar(page).locator('nav [data-status=active]')
    expect(await marked.allTextContents()).toEqual(['Films'])
    await bar(page).getByRole('link', { name: 'Accueil', exact: true }).click()
    await expect.poll(async () => await marked.allTextContents()).toEqual(['Accueil'])

    const solid = async () => await bar(page).getAttribute('data-solid')
    await page.evaluate(() => scrollTo(0, 16))
    await expect.poll(async () => await page.evaluate(() => scrollY)).toBe(16)
    expect(await solid()).toBeNull()
    await page.evaluate(() => scrollTo(0, 17))
    await expect.poll(solid).toBe('true')
    await page.evaluate(() => scrollTo(0, 0))
    await expect.poll(solid).toBeNull()

    await page.setViewportSize({ width: 820, height: 1000 })
    const genres = bar(page).getByRole('button', { name: 'Genres' })
    await genres.click()
    const panel = page.locator(`[id="${await genres.getAttribute('aria-controls')}"]`)
    const { x, width } = (await panel.boundingBox()) ?? { x: 0, width: 0 }
    expect(x).toBeGreaterThanOrEqual(24)
    expect(x + width).toBeLessThanOrEqual(820 - 24)
  })

  it('V2.4-05 has columns of 4 in a dropdown, 3 of them under 1101 pixels and 4 from there on', async () => {
    const content = Array.from({ length: 16 }, (_, index) => ({
      title: `Rayon ${index}`,
      reference: `/r/${index}`,
    }))
    await operator.publish({ fra: { header: [entry('Rayons', '', content)] } })
    const page = await opened('/legal')
    const columns = async () => {
      await bar(page).getByRole('button', { name: 'Rayons' }).click()
      const links = bar(page).getByRole('link', { name: /^Rayon \d/ })
      await links.first().waitFor()
      const boxes = await links.evaluateAll((all) =>
        all.map((link) => Math.round(link.getBoundingClientRect().left)),
      )
      await page.keyboard.press('Escape')
      return new Set(boxes).size
    }
    await page.setViewportSize({ width: 1101, height: 720 })
    expect(await columns()).toBe(4)
    await page.setViewportSize({ width: 1100, height: 720 })
    expect(await columns()).toBe(3)
  })

  it('V2.4-04 moves entries that do not fit into "more"', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `Entrée numéro ${index}`)
    await operator.publish({ fra: { header: names.map((name) => entry(name, 'live')) } })
    const page = await opened('/legal')
    const shown = async () =>
      await bar(page)
        .getByRole('link', { name: /^Entrée/ })
        .count()
    const more = bar(page).getByRole('button', { name: 'Plus' })
    await more.waitFor()
    const wide = await shown()
    await page.setViewportSize({ width: 900, height: 720 })
    await expect.poll(shown).toBeLessThan(wide)
    await more.click()
    await expect.poll(shown).toBe(names.length)
    await page.setViewportSize({ width: 3440, height: 720 })
    await more.waitFor({ state: 'detached' })
    await expect.poll(shown).toBe(names.length)
  })

  it('V2.4-06 V4-10 V4-08 V4-09 has a search box that opens, is locked for 450 ms, and stays open on the search screen', async () => {
    const page = await opened('/legal')
    const field = bar(page).locator('input[type=search]')
    const button = bar(page).getByRole('button', { name: /la recherche/ })
    // Presses the button twice in a row. The box is locked after the first press, so it ignores the second.
    await button.evaluate((element: HTMLElement) => {
      element.click()
      element.click()
    })
    await field.waitFor()
    await page.mouse.click(640, 600)
    await field.waitFor({ state: 'hidden' })
    // The lock does not last beyond a page load.
    await visit(page, '/legal')
    await button.click()
    await field.fill('   ')
    await field.press('Enter')
    expect(path(page)).toBe('/legal')
    await field.fill('')
    await field.pressSequentially('x'.repeat(45))
    expect(await field.inputValue()).toHaveLength(40)
    await field.fill('  La HOULE ')
    await field.press('Enter')
    await page.waitForURL((url) => decodeURIComponent(url.pathname) === '/search/la houle')
    await page.mouse.click(640, 650)
    await field.waitFor()
  })

  it('V2.4-06 V2.4-16 V2.4-17 V2.4-18 V2.4-19 V4-08 V4-09 has the profile menu for a signed-in viewer, and a sign-in link for a visitor', async () => {
    await operator.set({
      'navigation.getMenuProfile': {
        items: ['aide', 'dehors'],
        aide: { url: '/page/faq', title: { fra: 'Aide' } },
        dehors: { url: 'https://example.org/', title: { fra: 'Dehors' } },
      },
    })
    const page = await opened('/legal', { user: 'subscriber@ondine.test' })
    const avatar = bar(page).getByRole('button', { name: /Compte\s:/ })
    const panel = page.locator(`[id="${await avatar.getAttribute('aria-controls')}"]`)
    await avatar.click()
    expect(await panel.getByRole('listitem').allTextContents()).toEqual([
      'Changer de profil',
      'Réglages du compte',
      'Bibliothèque',
      'Aide',
      'Dehors',
      'Se déconnecter',
    ])
    expect(await panel.getByRole('link', { name: 'Dehors' }).getAttribute('target')).toBe('_blank')
    expect(await panel.getByRole('link', { name: 'Aide' }).getAttribute('target')).toBeNull()
    // No entry leads to a screen that is switched off. `rendered/shell.test.ts` tests the other menus.
    const entries = panel.locator('a[href^="/"]')
    for (const href of await entries.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? '')))
      expect((await page.request.get(href)).status(), href).toBe(200)
    await page.mouse.click(300, 650)
    await panel.waitFor({ state: 'hidden' })
    await avatar.click()
    await panel.getByRole('link', { name: 'Aide' }).click()
    await page.waitForURL((url) => url.pathname === '/page/faq')
    await panel.waitFor({ state: 'hidden' })

    const visitor = await opened('/live')
    expect(
      await bar(visitor)
        .getByRole('button', { name: /Compte\s:/ })
        .count(),
    ).toBe(0)
    await bar(visitor).getByRole('link', { name: 'Se connecter' }).click()
    await visitor.waitForURL(
      (url) => url.pathname === '/auth/login' && url.searchParams.get('back') === '/live',
    )
  })

  it('V2.4-02 V2.4-07 V4-08 on a phone without the tab bar opens the menu by the burger, with a second level and the profile menu', async () => {
    await operator.set({ 'navigation.navBar': false })
    await operator.publish({
      fra: {
        header: [
          { ...entry('Accueil', '/'), image: 'home' },
          entry('Films', 'assets'),
          entry('Genres', '', [{ title: 'Drame', reference: 'categories/1' }]),
        ],
      },
    })
    const page = await opened('/live', { ...PHONE, ...MOVING, user: 'subscriber@ondine.test' })
    const button = bar(page).getByRole('button', { name: /le menu/ })
    await button.evaluate((element: HTMLElement) => {
      element.click()
      element.click()
    })
    const menu = page.getByRole('navigation', { name: 'Navigation principale' })
    await menu.getByRole('link', { name: 'Films' }).waitFor()
    await menu.getByRole('link', { name: 'Accueil' }).locator('img').waitFor()
    await menu.getByRole('button', { name: 'Se déconnecter' }).waitFor()
    await menu.getByRole('button', { name: 'Genres' }).tap()
    const second = menu.getByRole('link', { name: 'Drame' })
    await expect.poll(async () => (await second.boundingBox())?.x ?? 999).toBeLessThan(100)
    // Entries of a level that has slid out of view cannot get the focus.
    const away = menu.locator('[inert]')
    expect(await away.getByRole('link', { name: 'Films' }).count()).toBe(1)
    // While the levels slide, the menu ignores presses.
    const back = menu.getByRole('button', { name: 'Genres' }).last()
    await back.evaluate((element: HTMLElement) => element.click())
    await expect
      .poll(async () => {
        const isAway = (await away.getByRole('link', { name: 'Films' }).count()) > 0
        if (isAway) await back.evaluate((element: HTMLElement) => element.click())
        return isAway
      })
      .toBe(false)
    await menu.getByRole('link', { name: 'Films' }).tap()
    await page.waitForURL((url) => url.pathname === '/all-content')
    await menu.waitFor({ state: 'hidden' })
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Direct' }).waitFor()
    expect(await button.getAttribute('aria-expanded')).toBe('false')

    // The menu covers the page, so it closes when the focus moves to the page.
    await button.tap()
    await menu.getByRole('button', { name: 'Se déconnecter' }).waitFor()
    await page.getByRole('main').locator('a').first().focus()
    await menu.waitFor({ state: 'hidden' })
  })

  it('V2.4-06 V2.4-07 on a phone a visitor has one sign-in link beside the menu, also where the search field replaces the bar’s', async () => {
    await operator.set({ 'navigation.navBar': false })
    const page = await opened('/live', PHONE)
    for (const [address, isInBar] of [
      ['/live', true],
      ['/search/houle', false],
    ] as const) {
      if (path(page) !== address) await visit(page, address)
      const wayIn = bar(page).getByRole('link', { name: 'Se connecter' })
      expect(await wayIn.count(), address).toBe(isInBar ? 1 : 0)
      await bar(page).getByRole('button', { name: 'Ouvrir le menu' }).click()
      const menu = page.getByRole('navigation', { name: 'Navigation principale' })
      await menu.getByRole('link', { name: 'Films' }).waitFor()
      expect(await wayIn.count(), address).toBe(1)
      expect(await menu.getByRole('link', { name: 'Se connecter' }).count(), address).toBe(isInBar ? 0 : 1)
    }
  })

  it('V2.4-13 V2.4-14 on the web a phone has the tab bar and the avatar, a tablet the menu in its bar, and neither has a burger', async () => {
    const page = await opened('/live', { ...PHONE, user: 'subscriber@ondine.test' })
    const tabs = page.getByRole('navigation', { name: 'Navigation rapide' })
    const burger = bar(page).getByRole('button', { name: 'Ouvrir le menu' })
    const menu = bar(page).getByRole('navigation', { name: 'Navigation principale' })
    expect(await tabs.getByRole('link').allTextContents()).toEqual([
      'Accueil',
      'Films',
      'Séries',
      'Direct',
      'Autres',
    ])
    expect(await burger.count()).toBe(0)
    expect(await menu.count()).toBe(0)
    await bar(page)
      .getByRole('button', { name: /Compte\s:/ })
      .tap()
    await bar(page).getByRole('button', { name: 'Se déconnecter' }).waitFor()
    // The tab bar must not cover the footer's end.
    const foot = await page
      .getByRole('contentinfo')
      .evaluate((footer) => getComputedStyle(footer).paddingBottom)
    expect(Number.parseFloat(foot)).toBeGreaterThan(64)
    // Nor a focused element that scrolls into view.
    const kept = await page.evaluate(() => getComputedStyle(document.documentElement).scrollPaddingBottom)
    expect(kept).toContain('80px')
    await visit(page, '/others')
    expect(await page.getByRole('main').getByRole('link').allTextContents()).toEqual(
      expect.arrayContaining(['Guide', 'Ma liste']),
    )

    const tablet = await opened('/live', { ...TABLET, user: 'subscriber@ondine.test' })
    const inBar = bar(tablet).getByRole('navigation', { name: 'Navigation principale' })
    await inBar.getByRole('link', { name: 'Direct' }).waitFor()
    expect(await bar(tablet).getByRole('button', { name: 'Ouvrir le menu' }).count()).toBe(0)
    expect(await tablet.getByRole('navigation', { name: 'Navigation rapide' }).count()).toBe(0)
  })

  it('V2.4-07 has no burger on the sign-in screens, nor in wide windows', async () => {
    await operator.set({ 'navigation.navBar': false })
    const page = await opened('/auth/login', PHONE)
    const button = bar(page).getByRole('button', { name: 'Ouvrir le menu' })
    expect(await button.count()).toBe(0)
    await visit(page, '/auth/password')
    expect(await button.count()).toBe(0)
    await visit(page, '/live')
    await button.waitFor()
    await page.setViewportSize({ width: 600, height: 700 })
    await button.waitFor({ state: 'hidden' })
  })

  it('V2.4-10 each link of the footer is on one line, in both languages', async () => {
    const page = await opened('/legal')
    for (const language of ['fra', 'eng']) {
      if (language === 'eng') {
        await page.context().addCookies([{ name: 'language', value: language, url: origin }])
        await visit(page, '/legal')
      }
      for (const width of [360, 820, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        await page.waitForFunction((wanted) => innerWidth === wanted, width)
        const broken = await page
          .getByRole('contentinfo')
          .locator('li a')
          .evaluateAll((all) =>
            all
              .filter((link) => {
                const text = document.createRange()
                text.selectNodeContents(link)
                return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size > 1
              })
              .map(({ textContent }) => textContent),
          )
        expect(broken, `in ${language} at ${width}`).toEqual([])
      }
    }
  })

  it('V2.4-10 V2.4-11 V2.4-12 has a footer with columns, stores and two lines, but not everywhere', async () => {
    await operator.set({
      'navigation.storeLinks': { ios: 'https://apple.example/', android: 'https://google.example/' },
      'navigation.copyright': [{ fra: '© {year} {name}' }, { fra: 'Deuxième ligne' }],
    })
    await operator.publish({
      fra: { footer: [entry('Aide', '', [{ title: 'Ailleurs', reference: 'https://example.org/' }])] },
    })
    const page = await opened('/live')
    const footer = page.getByRole('contentinfo')
    const link = footer.getByRole('navigation', { name: 'Aide' }).getByRole('link', { name: 'Ailleurs' })
    // V2.2-17: links of the footer open in the same window.
    expect(await link.getAttribute('target')).toBeNull()
    expect(await footer.locator('p').allTextContents()).toEqual([
      expect.stringMatching(/^© 20\d\d Ondine$/),
      'Deuxième ligne',
    ])
    const stores = async (shown: Page) =>
      await shown.getByRole('list', { name: 'Applications' }).getByRole('link').allTextContents()
    await expect.poll(async () => (await stores(page)).length).toBe(2)
    const android = await opened('/live', { ...PHONE, userAgent: ANDROID })
    await expect.poll(async () => await stores(android)).toEqual([expect.stringContaining('Google Play')])
    for (const without of ['/auth/login', '/others', '/register', '/verify-email']) {
      await visit(page, without)
      expect(await footer.count(), without).toBe(0)
    }
  })

  it('V2.1-15 V2.4-12 V2.4-13 V2.4-14 V9-08 natively has a tab bar of 4 and the others, and no footer', async () => {
    const header = ['/', 'live', 'epg', 'assets', 'legal', 'offers'].map((reference, index) =>
      entry(`Onglet ${index}`, reference),
    )
    await operator.publish({ fra: { header } })
    const page = await opened('/', { ...PHONE, ...MOVING, script: NATIVE })
    const tabs = page.getByRole('navigation', { name: 'Navigation rapide' })
    await tabs.waitFor()
    expect(await tabs.getByRole('link').allTextContents()).toEqual([
      'Onglet 0',
      'Onglet 1',
      'Onglet 2',
      'Onglet 3',
      'Autres',
    ])
    expect(await page.getByRole('contentinfo').count()).toBe(0)
    const [tab] = await tabs.getByRole('link').all()
    expect(await tab?.evaluate((link) => getComputedStyle(link).transition)).toMatch(/^transform 0\.1s /)
    await tabs.getByRole('link', { name: 'Autres' }).tap()
    await page.waitForURL((url) => url.pathname === '/others')
    await page.getByRole('heading', { name: 'Autres' }).waitFor()
    expect(await page.getByRole('main').getByRole('link').allTextContents()).toEqual(['Onglet 4', 'Onglet 5'])
    await visit(page, '/auth/login')
    expect(await tabs.count()).toBe(0)
    await operator.set({ 'navigation.navBar': false })
    await visit(page, '/live')
    expect(await tabs.count()).toBe(0)
  })

  it.each([
    ['on the web', PHONE],
    ['natively', { ...PHONE, script: NATIVE }],
  ])('V2.4-14 V2.4-03 %s the sub-entries of a tab with a page are in the others', async (_, kind) => {
    const links = [
      { id: '0', title: 'Drames', reference: 'legal', image: '' },
      { id: '1', title: 'Comédies', reference: 'epg', image: '' },
    ]
    await operator.publish({ fra: { header: [entry('Accueil', '/'), entry('Films', 'assets', links)] } })
    const page = await opened('/', kind)
    const tabs = page.getByRole('navigation', { name: 'Navigation rapide' })
    expect(await tabs.getByRole('link').allTextContents()).toEqual(['Accueil', 'Films', 'Autres'])
    await tabs.getByRole('link', { name: 'Autres' }).tap()
    await page.waitForURL((url) => url.pathname === '/others')
    await page.getByRole('heading', { name: 'Autres' }).waitFor()
    const list = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Films' })
    expect(await list.getByRole('link').allTextContents()).toEqual(['Films', 'Drames', 'Comédies'])
    await list.getByRole('link', { name: 'Comédies' }).tap()
    await page.waitForURL((url) => url.pathname.startsWith('/epg'))
  })

  it('V2.4-15 reports a lost connection, without a link to downloads while these are closed, and its return for 6 s', async () => {
    await operator.set({ 'downloads.downloadWebEnabled': true })
    const page = await opened('/live')
    await messagesLoaded(page)
    await page.context().setOffline(true)
    const toast = page.getByRole('status').filter({ hasText: /connexion/ })
    await toast.filter({ hasText: 'hors connexion' }).waitFor()
    expect(await toast.getByRole('link').count()).toBe(0)
    await page.clock.install()
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
    await page.context().setOffline(false)
    await toast.filter({ hasText: 'rétablie' }).waitFor()
    await page.clock.runFor(5900)
    expect(await toast.isVisible()).toBe(true)
    await page.clock.runFor(200)
    await toast.waitFor({ state: 'hidden' })
  })

  it('V2.4-15 reports a lost connection across the foot of the window, above the tab bar', async () => {
    const phone = await opened('/live', { ...PHONE, ...MOVING })
    await messagesLoaded(phone)
    // Dispatches only the event. The connection works, so requests still succeed.
    await phone.evaluate(() => dispatchEvent(new Event('offline')))
    const strip = phone.getByRole('status').filter({ hasText: 'hors connexion' }).locator('span').first()
    await strip.waitFor()
    const edges = async () => {
      const box = (await strip.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      return [box.x, box.width, Math.round(box.y + box.height)]
    }
    const tabBar = await phone.getByRole('navigation', { name: 'Navigation rapide' }).boundingBox()
    // The sheet slides up to its place.
    await expect.poll(edges).toEqual([0, 360, Math.round(tabBar?.y ?? 0)])
  })

  it('keeps the last good menus when new ones fail to load', async () => {
    const page = await opened('/legal')
    const films = bar(page).getByRole('link', { name: 'Films' })
    await films.waitFor()
    await page.route('**/graphql', async (route) => await route.abort())
    await Promise.all([
      page.waitForEvent('console', (message) => message.text().includes('menus')),
      operator.publish({ fra: { header: [entry('Neuf', '/')] } }),
    ])
    expect(await films.count()).toBe(1)
    await visit(page, '/legal')
    await bar(page).getByRole('link', { name: 'Neuf' }).waitFor()
  })
})

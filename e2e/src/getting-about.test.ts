import { beforeAll, describe, expect, it } from 'vitest'
import { alive, MOVING, visit } from './browser.ts'
import { signInByForm } from './people.ts'
import { findAsset, findChannel } from './service-calls.ts'
import { bar, PHONE, path, shellPages } from './shell-pages.ts'

describe('navigation', () => {
  const { origin, operator, opened } = shellPages()
  let film: string
  let channel: string

  beforeAll(async () => {
    film = (await findAsset(origin, 'La Houle')).detailRoute
    channel = (await findChannel(origin, 'Rive')).detailRoute
  })

  it('V2.4-20 V2.4-21 back leads to the previous screen, on a channel by the browser, and home when there was none', async () => {
    const page = await opened('/live', PHONE)
    await visit(page, film)
    const back = bar(page).getByRole('button', { name: 'Retour' })
    await back.tap()
    await page.waitForURL((url) => url.pathname === '/')
    await page.getByRole('main').getByRole('link', { name: /Rive/ }).first().tap()
    await page.waitForURL((url) => url.pathname === channel)
    await back.tap()
    await page.waitForURL((url) => url.pathname === '/')
  })

  it('V2.4-20 back restores the scroll position of a page; a slow screen begins at its top', async () => {
    const page = await opened('/', PHONE)
    const main = page.getByRole('main')
    const scrolled = async () => await page.evaluate(() => Math.round(scrollY))
    const card = main.getByRole('link', { name: /Rive/ }).first()
    await card.scrollIntoViewIfNeeded()
    await page.evaluate(() => scrollBy(0, 60))
    const before = await scrolled()
    expect(before).toBeGreaterThan(0)
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/{proxy,cms}/**', async (route) => {
      await answered
      await route.fallback()
    })
    await card.tap()
    await main.locator('[aria-busy=true]').first().waitFor()
    await expect.poll(scrolled).toBe(0)
    answer()
    await main.getByRole('heading', { level: 1 }).waitFor()
    const back = bar(page).getByRole('button', { name: 'Retour' })
    await back.tap()
    await page.waitForURL((url) => url.pathname === '/')
    await expect.poll(scrolled).toBe(before)
    // The page's data is already loaded, so the page appears at once.
    await card.tap()
    await page.waitForURL((url) => url.pathname === channel)
    await back.tap()
    await page.waitForURL((url) => url.pathname === '/')
    await expect.poll(scrolled).toBe(before)
  })

  it('a slow screen is announced in its own shape', async () => {
    const page = await opened('/live')
    for (const address of ['/all-content', '/page/privacy']) {
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
      await page.route('**/{proxy,cms}/**', async (route) => {
        await answered
        await route.fallback()
      })
      await page.evaluate((there) => history.pushState({}, '', there), address)
      const waiting = page.getByRole('main').locator('[aria-busy=true]')
      await waiting.waitFor()
      const topOf = async (selector: string) =>
        await page
          .locator(selector)
          .first()
          .evaluate((element) => element.getBoundingClientRect())
      const announced = await topOf('main [aria-busy=true] > :first-child')
      answer()
      await waiting.waitFor({ state: 'detached' })
      const shown = await topOf('main h1')
      expect(Math.abs(shown.left - announced.left), address).toBeLessThan(4)
      expect(Math.abs(shown.top - announced.top), address).toBeLessThan(24)
      await page.unrouteAll({ behavior: 'wait' })
    }
  })

  it('V8-05 reloads when a part of its code is gone, but not twice in a minute', async () => {
    // Data saving switches prefetching off, so the test causes all requests from here on.
    const script = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
    const page = await opened('/live', { script })
    await page.waitForLoadState('networkidle')
    const known = new Set(
      await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)),
    )
    await page.route('**/assets/*.js', async (route) => {
      if (known.has(route.request().url())) await route.fallback()
      else await route.abort()
    })
    let documents = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents += 1
    })
    const goTo = async (address: string) =>
      await page.evaluate((there) => history.pushState({}, '', there), address)
    // The previous page has already loaded, so the next `load` event shows that the new page has loaded.
    await Promise.all([page.waitForEvent('load'), goTo('/others')])
    expect(documents).toBe(1)
    await visit(page, '/live')
    expect(documents).toBe(2)
    await goTo('/landing')
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Direct' }).waitFor()
    expect(documents).toBe(2)
  })

  it('V8-05 V9-13 a part that is gone when it is prefetched has no effect until somebody navigates: then the page reloads', async () => {
    // The script switches data saving on, which switches prefetching off, until the address contains `ahead`.
    const script = `
      Object.defineProperty(navigator, 'connection', { value: { saveData: !location.search.includes('ahead') } })
      window.missing = 0
      addEventListener('vite:preloadError', () => (window.missing += 1))`
    const page = await opened('/live', { script })
    const known = new Set(
      await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)),
    )
    await page.route('**/assets/*', async (route) => {
      if (known.has(route.request().url())) await route.fallback()
      else await route.abort()
    })
    let documents = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents += 1
    })
    await visit(page, '/live?ahead')
    await page.waitForFunction(() => Reflect.get(window, 'missing') > 0)
    expect(documents).toBe(1)
    await page.getByRole('heading', { level: 1, name: 'Direct' }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await Promise.all([page.waitForEvent('load'), page.locator(`main a[href="${channel}"]`).first().click()])
    await page.waitForURL((url) => url.pathname === channel)
    await alive(page)
    expect(documents).toBe(2)
  })

  it('A2.2-07 A2.2-01 leads from a protected page to the sign-in, and back to it', async () => {
    const page = await opened('/account/products')
    expect(path(page)).toBe('/auth/login')
    await signInByForm(page, 'subscriber@ondine.test', 'Ondine-2026!')
    await page.waitForURL((url) => url.pathname === '/account/products')
    await visit(page, '/auth/login')
    expect(path(page)).toBe('/')
  })

  it('A2.2-07 leads home after a sign-in at an address that would lead elsewhere', async () => {
    const page = await opened('/legal')
    for (const elsewhere of ['https://example.org/', 'javascript:alert(1)']) {
      await page.context().clearCookies()
      await visit(page, `/auth/login?back=${encodeURIComponent(elsewhere)}`)
      await signInByForm(page, 'subscriber@ondine.test', 'Ondine-2026!')
      await page.waitForURL((url) => url.pathname !== '/auth/login')
      expect(page.url(), elsewhere).toBe(`${origin}/`)
    }
  })

  it('V2.3-05 V2.3-02 A2.2-02 A2.2-03 follows the screens that an operator opens and closes, on the server and in the browser', async () => {
    const page = await opened('/')
    await operator.set({
      'guide.epgGridConfiguration.pageActivation': false,
      'offers.isOfferScreenEnable': false,
      'accounts.isAllowedToRegister': false,
    })
    for (const closed of ['/epg', '/offers']) {
      await visit(page, closed)
      expect(path(page), closed).toBe('/')
    }
    await visit(page, '/register')
    expect(path(page)).toBe('/auth/login')
    await visit(page, '/')
    await operator.set({ 'accounts.isPrivateAccessEnabled': true })
    // The open page moves to the sign-in without a press.
    await page.waitForURL((url) => url.pathname === '/auth/login')
    const answer = await fetch(`${origin}/live?a=1`, { redirect: 'manual' })
    expect(answer.status).toBe(307)
    expect(answer.headers.get('location')).toContain('/auth/login?back=%2Flive%3Fa%3D1')
    expect((await fetch(`${origin}/legal`, { redirect: 'manual' })).status).not.toBe(307)
  })

  it('arrows pass a select without opening or changing it; Enter opens it', async () => {
    const page = await opened('/all-content')
    const choice = page.getByRole('main').locator('button[aria-haspopup=listbox]')
    const chosen = await choice.textContent()
    await choice.focus()
    for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowDown']) await page.keyboard.press(key)
    const place = async () => await page.evaluate(() => document.activeElement?.getAttribute('href') ?? '')
    await expect.poll(place).toContain('/')
    expect(await page.getByRole('listbox').count()).toBe(0)
    expect(await choice.textContent()).toBe(chosen)
    await choice.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('listbox').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
  })

  it('works by arrows alone, from the bar to the cards and into a title', async () => {
    const page = await opened('/')
    const focused = async () => await page.evaluate(() => document.activeElement?.textContent ?? '')
    const place = async () =>
      await page.evaluate(() => {
        const { activeElement: element, body } = document
        if (element === null || element === body) return 'nowhere'
        return element.closest('header') ? 'bar' : 'screen'
      })
    // The arrows work once the page has been idle.
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowDown')
        return await place()
      })
      .toBe('screen')
    const first = await focused()
    await page.keyboard.press('ArrowRight')
    expect(await focused()).not.toBe(first)
    for (let step = 0; step < 6 && (await place()) !== 'bar'; step += 1) await page.keyboard.press('ArrowUp')
    expect(await place()).toBe('bar')
    await page.keyboard.press('ArrowRight')
    expect(await place()).toBe('bar')
    await page
      .getByRole('main')
      .getByRole('link', { name: /La Houle/ })
      .first()
      .focus()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname !== '/')
  })

  it('moves the focus to the heading of each screen, and restores it on the way back', async () => {
    const page = await opened('/')
    const focused = async () =>
      await page.evaluate(() => {
        const { activeElement: element } = document
        return element?.tagName === 'H1' ? `h1 ${element.textContent}` : element?.getAttribute('href')
      })
    await bar(page).getByRole('link', { name: 'Direct', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(focused).toMatch(/^h1 .*direct/i)
    const link = page.getByRole('main').locator(`a[href="${channel}"]`).first()
    await link.focus()
    await page.keyboard.press('Enter')
    await expect.poll(focused).toMatch(/^h1 /)
    expect(path(page)).toBe(channel)
    await page.goBack()
    await expect.poll(focused).toBe(channel)
    // A field in which somebody types keeps the focus.
    await visit(page, '/search/mer')
    await bar(page).locator('input[type=search]').fill('houle')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/search/houle')
    await page.getByRole('main').locator(`a[href="${film}"]`).first().waitFor()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  })

  it('has a remote on the screen when the operator enables it', async () => {
    await operator.set({ 'navigation.virtualRemote': true })
    const page = await opened('/')
    const remote = page.getByRole('group', { name: 'Télécommande' })
    // Names the element, because the HTML of an element can change while it keeps the focus.
    const focused = async () =>
      await page.evaluate(() => {
        const { tagName, textContent, ariaLabel } = document.activeElement ?? document.body
        return `${tagName} ${ariaLabel ?? textContent.slice(0, 60)}`
      })
    const begun = await focused()
    await remote.getByRole('button', { name: 'Bas' }).click()
    await expect.poll(focused).not.toBe(begun)
    const before = await focused()
    await remote.getByRole('button', { name: 'Droite' }).click()
    await expect.poll(focused).not.toBe(before)
    await remote.getByRole('button', { name: 'OK' }).click()
    await page.waitForURL((url) => url.pathname !== '/')
    await remote.getByRole('button', { name: 'Retour' }).click()
    await page.waitForURL((url) => url.pathname === '/')
  })

  it('V2.3-08 has the language in its addresses when the operator enables it, and follows the browser’s', async () => {
    await operator.set({
      'languages.urlPrefix': true,
      'languages.redirectRoot': true,
      'languages.detectBrowserLanguage': true,
    })
    const page = await opened('/', { locale: 'en-GB' })
    expect(path(page)).toBe('/en')
    await bar(page).getByRole('link', { name: 'Live', exact: true }).click()
    await page.waitForURL((url) => url.pathname === '/en/live')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await expect
      .poll(async () => await page.locator('link[rel=canonical]').getAttribute('href'))
      .toContain('/en/live')
    await page.getByRole('contentinfo').getByRole('button', { name: 'Français' }).click()
    await page.waitForURL((url) => url.pathname === '/fr/live')
    await expect.poll(async () => await page.locator('html').getAttribute('lang')).toBe('fr')
    await visit(page, '/en/search/houle?type=movies')
    await page.getByRole('contentinfo').getByRole('button', { name: 'Français' }).click()
    await page.waitForURL((url) => url.pathname + url.search === '/fr/search/houle?type=movies')
    const player = `/player?asset=${film.slice(film.lastIndexOf('-') + 1)}`
    // The player sends a visitor to the sign-in.
    await page.goto(`/en${player}`)
    await page.waitForURL(
      (url) => url.pathname === '/en/auth/login' && url.searchParams.get('back') === player,
    )
    await visit(page, '/en/account/devices')
    expect(path(page)).toBe('/en/auth/login')
    await visit(page, '/live')
    expect(path(page)).toBe('/fr/live')
  })

  it('V4-03 hides the loader by a fade of 200 ms after the start', async () => {
    const page = await opened('/', { ...MOVING, user: 'subscriber@ondine.test' })
    const loader = page.locator('[data-global-loader]')
    expect(await loader.evaluate((element) => getComputedStyle(element).transitionDuration)).toBe('0.2s')
    await expect
      .poll(async () => await loader.evaluate((element) => getComputedStyle(element).opacity))
      .toBe('0')
  })

  it('leads home when the profile changes', async () => {
    const page = await opened('/live', { user: 'subscriber@ondine.test' })
    await bar(page)
      .getByRole('button', { name: /Compte\s:/ })
      .click()
    await bar(page).getByRole('button', { name: 'Changer de profil' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /Noé/ }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // The menu has closed, so the focus returns to the button that opened it.
    const avatar = bar(page).getByRole('button', { name: /Compte\s:/ })
    await expect.poll(async () => await avatar.evaluate((each) => each === document.activeElement)).toBe(true)
    await avatar.click()
    await bar(page).getByRole('button', { name: 'Changer de profil' }).click()
    await dialog.getByRole('button', { name: /Noé/ }).click()
    await page.waitForURL((url) => url.pathname === '/')
  })
})

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { flippedStorefront } from './configuration/flipped-storefront.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

describe('the configuration', () => {
  const storefront = flippedStorefront()
  const openAnywhere = testBrowser()
  const { origin } = sharedService()

  /** Opens a page of this storefront in the browser. */
  async function open(path: string): Promise<{ page: Page; complaints: string[] }> {
    const { page, complaints } = await openAnywhere()
    await page.context().addCookies([{ name: 'storefront', value: storefront().apiKey, url: origin }])
    await visit(page, path, { waitUntil: 'load' })
    // Marks the document, to distinguish it from a reloaded one.
    await page.evaluate(() => document.body.setAttribute('data-seen', ''))
    return { page, complaints }
  }

  const isSame = async (page: Page) => await page.locator('body[data-seen]').count()

  // `follow-changes.test.ts` tests how soon a page follows, because that test can set the clock.
  it('V1-01 V3-48 an open page follows without a reload', async () => {
    const { page, complaints } = await open('/auth/login')
    expect(await page.title()).toContain('Flip')
    await storefront().operator.set({
      'brand.name': 'Lumière',
      'brand.logos.full': '/icon.svg?lumiere',
      'colors.surface0': '#201000',
      'style.cardRadius': 1,
    })
    const style = async () =>
      await page.evaluate(() => [
        getComputedStyle(document.documentElement).backgroundColor,
        getComputedStyle(document.documentElement).getPropertyValue('--radius-card'),
      ])
    await expect.poll(style).toEqual(['rgb(32, 16, 0)', '1px'])
    await expect.poll(async () => await page.title()).toContain('Lumière')
    await expect
      .poll(async () => await page.locator('img[src="/icon.svg?lumiere"]').count())
      .toBeGreaterThan(0)
    expect(await isSame(page)).toBe(1)
    expect(complaints).toEqual([])
  })

  it('V2.3-02 a feature that is switched off closes on the open page', async () => {
    const { page, complaints } = await open('/epg')
    const loading = complaints.length
    await storefront().operator.set({ 'guide.epgGridConfiguration.pageActivation': false })
    await page.waitForURL(`${origin}/`)
    expect(await isSame(page)).toBe(1)
    expect(complaints.slice(loading)).toEqual([])
  })

  it('V3-32 the rails of home follow on the open page', async () => {
    const { page } = await open('/')
    await storefront().operator.set({
      'home.disconnected': [{ id: 'now', source: 'live', title: { fra: 'À l’antenne' } }],
    })
    const titles = async () => await page.getByRole('heading', { level: 2 }).allTextContents()
    await expect.poll(titles).toContain('À l’antenne')
    expect(await isSame(page)).toBe(1)
  })

  it('V1-01 comes with the page: the browser does not request it again', async () => {
    const { page } = await openAnywhere()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/configuration/')) asked.push(new URL(request.url()).pathname)
    })
    await visit(page, '/auth/login', { waitUntil: 'networkidle' })
    await page.waitForRequest(/\/configuration\/.*revisions\.json/)
    expect(new Set(asked)).toEqual(new Set(['/configuration/demo/data/revisions.json']))
  })

  it('V3-47 virtualRemote shows a remote on the screen', async () => {
    const { page } = await open('/')
    const buttons = async () => await page.getByRole('button').count()
    const without = await buttons()
    await storefront().operator.set({ 'navigation.virtualRemote': true })
    await expect.poll(buttons).toBeGreaterThanOrEqual(without + 5)
  })

  it('V4-04 another language loads the menus of that language', async () => {
    const header = (title: string) => ({ header: [{ title, reference: 'live', image: '', content: [] }] })
    await storefront().operator.publish({ fra: header('À l’antenne'), eng: header('On air') })
    const { page } = await open('/live')
    const menu = page.getByRole('navigation')
    await menu.getByRole('link', { name: 'À l’antenne' }).first().waitFor()
    await page.getByRole('contentinfo').getByRole('button', { name: 'English' }).click()
    await menu.getByRole('link', { name: 'On air' }).first().waitFor()
    expect(await menu.getByRole('link', { name: 'À l’antenne' }).count()).toBe(0)
    await storefront().operator.publish({})
  })

  it('V9-08 the profile menu scrolls above 400 px', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `entree${index}`)
    const entries = names.map((name) => [name, { url: '/page/faq', title: { fra: name } }])
    await storefront().operator.set({
      'navigation.getMenuProfile': { items: names, ...Object.fromEntries(entries) },
    })
    const { page } = await openAnywhere()
    const cookies = [`storefront=${storefront().apiKey}`, ...storefront().signedIn.split('; ')].map(
      (each) => {
        const [name = '', value = ''] = each.split(/=(.*)/s)
        return { name, value, url: origin }
      },
    )
    await page.context().addCookies(cookies)
    await visit(page, '/live')
    const account = page.getByRole('button', { name: /Compte\s:/ })
    await account.click()
    const panel = page.locator(`[id="${await account.getAttribute('aria-controls')}"]`)
    const last = panel.getByRole('link', { name: 'entree9' })
    await last.waitFor({ state: 'attached' })
    const { height, overflow } = await panel.evaluate((element) => ({
      height: element.getBoundingClientRect().height,
      overflow: element.scrollHeight - element.clientHeight,
    }))
    expect(height).toBeLessThanOrEqual(400)
    expect(overflow).toBeGreaterThan(0)
    await last.scrollIntoViewIfNeeded()
    expect(await panel.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0)
  })

  it('V8-08 V8-04 reports errors and missing texts to the configured address, once and scrubbed', async () => {
    const { host } = new URL(origin)
    await storefront().operator.set({ 'settings.errorReporting': `http://publickey@${host}/7` })
    const { page } = await openAnywhere()
    const sent: string[] = []
    await page.route('**/api/7/envelope/**', async (route) => {
      sent.push(`${route.request().url()}\n${route.request().postData()}`)
      await route.fulfill({ status: 200, json: {} })
    })
    await page.route('**/translations/**', async (route) => {
      const response = await route.fetch()
      const texts = await response.json()
      delete texts.forms.requiredField
      await route.fulfill({ response, json: texts })
    })
    await page.context().addCookies([{ name: 'storefront', value: storefront().apiKey, url: origin }])
    await visit(page, '/auth/login')
    const email = page.getByRole('main').getByRole('textbox').first()
    await email.focus()
    await email.press('Tab')
    await page.getByText('forms.requiredField').waitFor()
    await expect.poll(() => sent.filter((each) => each.includes('MissingText'))).toHaveLength(1)
    expect(sent[0]).toContain('sentry_key=publickey')
    expect(sent[0]).toContain('forms.requiredField (fr)')

    await visit(page, '/all-content')
    await page.route('**/proxy/contentData*', async (route) => await route.abort())
    await page.locator(`main a[href="${storefront().pages.film}"]`).first().click()
    await expect.poll(() => sent.filter((each) => each.includes('"type":"ApiError"'))).toHaveLength(1)
    expect(sent.at(-1)).toContain('/proxy/contentData')
  })

  it('V3-46 settings.share-url is the beginning of shared addresses', async () => {
    const { page } = await open(storefront().pages.film ?? '')
    await storefront().operator.set({ 'settings.share-url': 'https://share.test/films' })
    const dialog = page.getByRole('dialog', { name: 'Partager' })
    const link = dialog.getByLabel('Lien', { exact: true })
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Partager : La Houle' }).click()
        const shared = await link.inputValue()
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        return shared
      })
      .toMatch(/^https:\/\/share\.test\/films\//)
  })

  it('search.suggestions and search.recent set how many there are', async () => {
    await storefront().operator.set({ 'search.suggestions': 1, 'search.recent': 1 })
    const { page } = await open('/search/houle')
    const field = page.getByRole('searchbox').or(page.getByRole('combobox')).first()
    await field.click()
    await field.fill('la')
    const list = page.getByRole('listbox', { name: 'Suggestions' })
    await list.getByRole('option').first().waitFor()
    expect(await list.getByRole('option').count()).toBe(1)
    await visit(page, '/search/rive')
    await field.fill('')
    const recent = page.getByRole('group', { name: 'Recherches récentes' })
    await recent.getByRole('link', { name: 'rive' }).waitFor()
    expect(await recent.getByRole('link').count()).toBe(1)
    await storefront().operator.set({ 'search.suggestions': 0, 'search.recent': 0 })
    await recent.waitFor({ state: 'detached' })
  })

  it('V1-01 another storefront of the same installation has a different name, look and rails', async () => {
    const asOf = async (storefront: string) => {
      const { page } = await openAnywhere()
      await visit(page, `/?storefront=${storefront}`)
      const seen = await page.evaluate(() => ({
        title: document.title,
        ground: getComputedStyle(document.documentElement).backgroundColor,
        font: getComputedStyle(document.body).fontFamily.split(',')[0],
        rails: [...document.querySelectorAll('h2')].map((heading) => heading.textContent),
      }))
      // Files that a page loads later must not restore the default look.
      await visit(page, '/auth/login', { waitUntil: 'networkidle' })
      const later = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
      expect(later).toBe(seen.ground)
      return seen
    }
    const [demo, nocturne] = [await asOf('demo'), await asOf('nocturne')]
    expect(demo.title).toContain('Ondine')
    expect(nocturne.title).toContain('Nocturne')
    expect(nocturne.ground).not.toBe(demo.ground)
    expect(nocturne.font).not.toBe(demo.font)
    expect(nocturne.rails).toContain('Encore debout')
    expect(demo.rails).not.toContain('Encore debout')
  })
})

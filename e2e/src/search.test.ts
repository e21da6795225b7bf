import { epg } from '@ondine/contract/channels'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage, signIn, visit } from './browser.ts'
import { axeFaults, expectSound, expectToFit } from './checks.ts'
import { call, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

describe('search', () => {
  let browser: Browser
  const { origin } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => await browser.close())

  const field = (page: Page) => page.getByRole('banner').locator('input[type=search]')
  const cards = (page: Page) => page.getByRole('main').locator('ul[style] > li > a')
  const filters = (page: Page) => page.getByRole('navigation', { name: 'Filtrer les résultats' })

  it('V2.1-18 comes from the server with its title, and the term in the address', async () => {
    const html = await (await fetch(`${origin}/search/la%20houle`)).text()
    expect(/<title>([^<]+)<\/title>/.exec(html)?.[1]).toContain('«\u00A0la houle\u00A0»')
    expect(html).toContain('La <mark')
  })

  it('V4-10 V5-01 starts in the bar by mouse: at most 40 characters, a blank term does nothing, Enter searches', async () => {
    const { page, complaints } = await openPage(browser, origin)
    await visit(page, '/')
    await page.getByRole('button', { name: 'Ouvrir la recherche' }).click()
    await field(page).fill('   ')
    await field(page).press('Enter')
    expect(new URL(page.url()).pathname).toBe('/')
    await field(page).fill('')
    await field(page).pressSequentially('x'.repeat(45))
    expect(await field(page).inputValue()).toHaveLength(40)
    await field(page).fill('  La HOULE ')
    await field(page).press('Enter')
    await page.waitForURL('**/search/la%20houle')
    await page.getByRole('heading', { level: 1, name: '« la houle »' }).waitFor()
    // The box stays open on this screen, with the term in it.
    await expect.poll(async () => await field(page).inputValue()).toBe('la houle')
    await expect.poll(async () => await cards(page).first().textContent()).toContain('La Houle')
    // A new search clears the results of the previous search.
    await field(page).fill('métier')
    await field(page).press('Enter')
    await page.getByRole('heading', { level: 1, name: '« métier »' }).waitFor()
    await cards(page).filter({ hasText: 'Le Métier' }).first().waitFor()
    await expect
      .poll(async () => await page.getByRole('region', { name: 'Résultats' }).textContent())
      .not.toContain('La Houle')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('suggests during typing, and opens a suggestion by keys', async () => {
    const { page, complaints } = await openPage(browser, origin)
    await visit(page, '/search/zzyzx')
    await field(page).click()
    await field(page).fill('huole')
    const list = page.getByRole('listbox', { name: 'Suggestions' })
    await list.waitFor()
    const combobox = page.getByRole('combobox')
    expect(await combobox.getAttribute('aria-expanded')).toBe('true')
    await combobox.press('ArrowDown')
    const lit = list.getByRole('option', { selected: true })
    await expect.poll(async () => await lit.textContent()).toContain('La Houle')
    expect(await combobox.getAttribute('aria-activedescendant')).toBe(await lit.getAttribute('id'))
    expect(await axeFaults(page, 'header')).toEqual([])
    await combobox.press('Escape')
    await list.waitFor({ state: 'detached' })
    // The beginning of a title is enough.
    await field(page).fill('houl')
    await expect.poll(async () => await list.getByRole('option').first().textContent()).toContain('La Houle')
    await combobox.press('ArrowDown')
    await combobox.press('Enter')
    await page.waitForURL('**/content/la-houle-*')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('greys suggestions for fewer letters, and clears the field by its cross', async () => {
    const { page, complaints } = await openPage(browser, origin)
    await visit(page, '/search/zzyzx')
    await field(page).fill('houl')
    const option = page.getByRole('option', { name: 'La Houle' })
    await option.waitFor()
    const panel = page.locator('div:has(> [role=listbox])')
    await expect.poll(async () => await panel.getAttribute('data-outdated')).toBeNull()
    // The answer for one more letter is withheld until the test has seen the outdated panel.
    const held = Promise.withResolvers<void>()
    await page.route('**/cms/search?**', async (route) => {
      await held.promise
      await route.continue()
    })
    await field(page).press('e')
    await expect.poll(async () => await panel.getAttribute('data-outdated')).toBe('true')
    held.resolve()
    await expect.poll(async () => await panel.getAttribute('data-outdated')).toBeNull()
    const clear = page.getByRole('banner').getByRole('button', { name: 'Effacer la recherche' })
    await clear.click()
    expect(await field(page).inputValue()).toBe('')
    expect(await field(page).evaluate((element) => element === document.activeElement)).toBe(true)
    await option.waitFor({ state: 'detached' })
    await clear.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('remembers recent searches, and forgets them on request', async () => {
    const { page, complaints } = await openPage(browser, origin)
    await visit(page, '/search/houle')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect
      .poll(async () => await page.evaluate(() => Object.values(localStorage).join()))
      .toContain('houle')
    await visit(page, '/')
    await page.getByRole('button', { name: 'Ouvrir la recherche' }).click()
    const recent = page.getByRole('group', { name: 'Recherches récentes' })
    await recent.getByRole('link', { name: 'houle' }).waitFor()
    await recent.getByRole('button', { name: 'Supprimer « houle » des recherches récentes' }).click()
    await recent.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it.each(['la', 'métier', 'houle'])(
    'V2.4-22 for %s offers the filters that leave results, and shows one number for all results',
    async (term) => {
      const { page, complaints } = await openPage(browser, origin)
      const answer = await fetch(`${origin}/cms/search?term=${encodeURIComponent(term)}`)
      const { counts } = (await answer.json()).result
      const names = {
        all: 'Tout',
        movies: 'Films',
        series: 'Séries',
        lives: 'En direct',
        programs: 'Programmes',
        articles: 'Magazine',
      }
      await visit(page, `/search/${encodeURIComponent(term)}`)
      const found = counts.all + counts.articles
      const left = Object.entries(names).filter(([filter]) => counts[filter] > 0)
      // Filters that would change nothing are left out.
      const isOneKind = left.every(([filter]) => filter === 'all' || counts[filter] === found)
      expect(await filters(page).getByRole('link').allTextContents()).toEqual(
        isOneKind ? [] : left.map(([, name]) => name),
      )
      const text = found === 1 ? '1 résultat' : `${found} résultats`
      await page.getByRole('status').filter({ hasText: text }).waitFor()
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  it('V2.4-22 filters by articles, and omits them with any other filter', async () => {
    const { page } = await openPage(browser, origin)
    const articles = page.getByRole('region', { name: 'Magazine' })
    await visit(page, '/search/houle')
    await articles.waitFor()
    await filters(page).getByRole('link', { name: 'Films' }).click()
    await articles.waitFor({ state: 'detached' })
    await page
      .getByRole('status')
      .filter({ hasText: /^1 résultat$/ })
      .waitFor()
    await filters(page).getByRole('link', { name: 'Magazine' }).click()
    await articles.getByRole('link', { name: /^Lire la mer/ }).waitFor()
    await page.getByRole('region', { name: 'Résultats' }).waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?type=articles')
    await visit(page, '/search/houle?type=articles')
    await articles.getByRole('link', { name: /^Lire la mer/ }).waitFor()
    expect(await filters(page).getByRole('link', { name: 'Magazine' }).getAttribute('aria-current')).toBe(
      'page',
    )
    await page.context().close()
  })

  it.each([360, 820, 1280])('the open field and its ring do not overlap the avatar, at %i', async (width) => {
    const { page } = await openPage(browser, origin, { viewport: { width, height: 900 } })
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, '/search/houle')
    await expect
      .poll(async () => {
        const box = await page.getByRole('banner').getByRole('search').boundingBox()
        const menu = await page.getByRole('banner').getByRole('button', { name: 'Compte :' }).boundingBox()
        return (menu?.x ?? 0) - (box?.x ?? 0) - (box?.width ?? 0)
      })
      .toBeGreaterThanOrEqual(8)
    await page.context().close()
  })

  it('V2.4-22 filters by links, on a phone by touch', async () => {
    const { page, complaints } = await openPage(browser, origin, PHONE)
    await visit(page, '/search/m%C3%A9tier')
    expect(await filters(page).getByRole('link', { name: 'Films' }).count()).toBe(0)
    await filters(page)
      .getByRole('link', { name: /^Séries/ })
      .tap()
    await page.waitForURL('**/search/m%C3%A9tier?type=series')
    const current = filters(page).locator('[aria-current=page]')
    await expect.poll(async () => await current.textContent()).toMatch(/^Séries/)
    const first = async () => await cards(page).first().textContent()
    await expect.poll(first).toContain('Le Métier')
    await cards(page).first().tap()
    await page.waitForURL('**/series/le-metier-*/details')
    await page.goBack()
    await page.waitForURL('**/search/m%C3%A9tier?type=series')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('names the corrected word after a misspelt search, and offers a way on after an empty one', async () => {
    const { page, complaints } = await openPage(browser, origin)
    await visit(page, '/search/huole')
    await page.getByRole('heading', { level: 1, name: 'Résultats pour « houle »' }).waitFor()
    await page.getByText('Aucun résultat pour « huole ». Voici les résultats pour').waitFor()
    await page.getByRole('link', { name: '« houle »' }).waitFor()
    expect(await cards(page).first().textContent()).toContain('La Houle')
    await visit(page, '/search/zzyzx')
    await page.getByRole('heading', { level: 1, name: 'Aucun résultat pour « zzyzx »' }).waitFor()
    await page.getByRole('heading', { level: 2, name: 'À voir en ce moment' }).waitFor()
    expect(await cards(page).count()).toBeGreaterThan(0)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('leaves no large screen empty: a few results are large, with titles related to the best of them below', async () => {
    const { page, complaints } = await openPage(browser, origin, { viewport: { width: 1920, height: 1080 } })
    await visit(page, '/search/houle')
    const results = page.getByRole('region', { name: 'Résultats' })
    const found = results.getByRole('link')
    expect(await found.count()).toBeLessThan(6)
    expect((await found.first().boundingBox())?.width).toBeGreaterThan(300)
    const near = page.getByRole('region', { name: 'À voir aussi' })
    await near.getByRole('link').first().waitFor()
    const addresses = async (links: Locator) =>
      await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')))
    const shown = await addresses(found)
    expect((await addresses(near.getByRole('link'))).filter((address) => shown.includes(address))).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it.each(['fra', 'eng'])('V3-33 names the channel of a current programme, in %s', async (language) => {
    const { page } = await openPage(browser, origin)
    await page.context().addCookies([{ name: 'language', value: language, url: origin }])
    const { idChannel } = await findChannel(origin, 'Rive')
    const start = Math.floor(Date.now() / 1000) - 3600
    const guide = await call(origin, epg, { start, offset: 0, hours: 2, channelIds: [idChannel] })
    const now = Date.now() / 1000
    const airing = guide[`chan_${idChannel}`]?.find(({ startutc, endutc }) => startutc <= now && now < endutc)
    for (const term of ['Rive', airing?.title ?? '']) {
      await visit(page, `/search/${encodeURIComponent(term)}`)
      const chips = page.getByRole('main').locator('[class^="channel_"]')
      await chips.filter({ hasText: 'Rive' }).first().waitFor()
      expect((await chips.allTextContents()).filter((text) => text.trim() === '')).toEqual([])
    }
    await page.context().close()
  })

  it('has two results side by side on a phone, with their full names', async () => {
    const { page } = await openPage(browser, origin, PHONE)
    await visit(page, '/search/m%C3%A9tier')
    const places = await cards(page).evaluateAll((all) => all.map((each) => each.getBoundingClientRect()))
    const [first, second, third] = places
    expect(first?.top).toBe(second?.top)
    expect(third?.top).toBeGreaterThan(first?.bottom ?? 0)
    expect(first?.width).toBeGreaterThan(150)
    await page.context().close()
  })

  it('V2.1-18 V2.1-19 leads from a person and a genre of a film to all their titles', async () => {
    const { page, complaints } = await openPage(browser, origin)
    await visit(page, '/search/houle')
    await cards(page).first().click()
    await page.waitForURL('**/content/la-houle-*')
    const person = page.locator('dd a').first()
    const name = (await person.textContent()) ?? ''
    await person.click()
    await page.waitForURL('**/search/*?searchBy=AD_*')
    const heading = async () => await page.getByRole('heading', { level: 1 }).textContent()
    await expect.poll(heading).toContain(name.toLowerCase())
    await expect.poll(async () => await cards(page).first().textContent()).toContain('La Houle')
    await visit(page, '/search/filter/year-2026')
    await page.getByRole('heading', { level: 1, name: 'Année : 2026' }).waitFor()
    // A filter address is not a viewer's search term.
    expect(await field(page).inputValue()).toBe('')
    expect((await fetch(`${origin}/search/filter/colour-red`)).status).toBe(404)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it.each(['/search/houle', '/search/zzyzx', '/search/m%C3%A9tier?type=movies', '/search/filter/year-1900'])(
    '%s fits every width and has no fault that axe finds',
    async (path) => {
      const { page, complaints } = await openPage(browser, origin)
      await visit(page, path)
      await expectSound(page, path)
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  it.each([
    ['a very long word', 'x'.repeat(400)],
    ['quotes and operators', `' & | ! ( <-> :*`],
    ['markup', '<img src=x onerror=alert(1)>'],
    ['right-to-left text', 'مرحبا بالعالم'],
    ['an emoji', '🌊🌊'],
    ['a percent sign', '100%'],
  ])('treats %s in the address as words', async (_what, term) => {
    const { page, complaints } = await openPage(browser, origin, PHONE)
    const answer = await visit(page, `/search/${encodeURIComponent(term)}`)
    expect(answer?.status()).toBe(200)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectToFit(page, PHONE.viewport.width, term)
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

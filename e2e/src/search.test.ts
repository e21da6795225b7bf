import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage, signIn, visit } from './browser.ts'
import { axeFaults, expectSound, expectToFit } from './checks.ts'
import { closeContext } from './reused-contexts.ts'
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
    // After a step back, the field has the term of the results again.
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: '« la houle »' }).waitFor()
    expect(await field(page).inputValue()).toBe('la houle')
    expect(complaints).toEqual([])
    await closeContext(page.context())
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
    await field(page).fill('métier')
    await expect.poll(async () => await list.getByRole('option').first().textContent()).toBe('Le MétierSérie')
    // The beginning of a title is enough.
    await field(page).fill('houl')
    await expect.poll(async () => await list.getByRole('option').first().textContent()).toContain('La Houle')
    // An episode names its series and its number.
    await field(page).fill('oiseaux')
    await list
      .getByRole('option')
      .filter({ hasText: /Les oiseaux.*Le Métier · S2 É2/ })
      .waitFor()
    await field(page).fill('houl')
    await expect.poll(async () => await list.getByRole('option').first().textContent()).toContain('La Houle')
    await combobox.press('ArrowDown')
    await combobox.press('Enter')
    await page.waitForURL('**/content/la-houle-*')
    expect(complaints).toEqual([])
    await closeContext(page.context())
  })

  it('greys suggestions for fewer letters, and clears the field by its cross', async () => {
    const { page, complaints } = await openPage(browser, origin)
    await visit(page, '/search/zzyzx')
    await field(page).fill('houl')
    const option = page.getByRole('option', { name: 'La Houle' })
    await option.waitFor()
    const panel = page.locator('div:has(> [role=listbox])')
    await expect.poll(async () => await panel.getAttribute('data-outdated')).toBeNull()
    // Withholds the suggestions for one more letter until the test has seen the outdated suggestions.
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
    await closeContext(page.context())
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
    await closeContext(page.context())
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
    await closeContext(page.context())
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
    await closeContext(page.context())
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
    await closeContext(page.context())
  })

  it('has two results side by side on a phone, with their full names', async () => {
    const { page } = await openPage(browser, origin, PHONE)
    await visit(page, '/search/m%C3%A9tier')
    const places = await cards(page).evaluateAll((all) => all.map((each) => each.getBoundingClientRect()))
    const [first, second, third] = places
    expect(first?.top).toBe(second?.top)
    expect(third?.top).toBeGreaterThan(first?.bottom ?? 0)
    expect(first?.width).toBeGreaterThan(150)
    await closeContext(page.context())
  })

  it.each(['/search/houle', '/search/zzyzx', '/search/m%C3%A9tier?type=movies', '/search/filter/year-1900'])(
    '%s fits every width and has no fault that axe finds',
    async (path) => {
      const { page, complaints } = await openPage(browser, origin)
      await visit(page, path)
      await expectSound(page, path)
      expect(complaints).toEqual([])
      await closeContext(page.context())
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
    await closeContext(page.context())
  })
})

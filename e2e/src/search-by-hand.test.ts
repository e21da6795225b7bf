import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { axeFaults, expectToFit } from './checks.ts'
import { tabTo } from './tab-to.ts'
import { testBrowser } from './test-browser.ts'

const NARROW = { width: 360, height: 740 }
const WIDE = { width: 1280, height: 720 }

const OPEN = /^Ouvrir la recherche$/

/**
 * Tests the search with each input, on a phone and on a desktop: from the bar to the results, and onward from an
 * empty result.
 */
describe('search by hand', () => {
  const open = testBrowser()

  const field = (page: Page) => page.getByRole('banner').locator('input[type=search]')
  const list = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' })
  const lit = (page: Page) => list(page).getByRole('option', { selected: true })
  const recent = (page: Page) => page.getByRole('group', { name: 'Recherches récentes' })
  const cards = (page: Page) => page.getByRole('main').locator('ul[style] > li > a')
  const isFocused = async (what: Locator) => await what.evaluate((at) => at === document.activeElement)

  /** Checks that the panel below the field is uncut, and that each choice is large enough for a finger. */
  async function expectInReach(page: Page, panel: Locator, choices: Locator): Promise<void> {
    const { width } = page.viewportSize() ?? NARROW
    const box = await panel.boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? Number.NaN)).toBeLessThanOrEqual(width)
    for (const choice of await choices.all()) {
      expect((await choice.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    }
    await expectToFit(page, width, 'with a list below the field')
  }

  it.each<[string, BrowserContextOptions, (what: Locator) => Promise<void>]>([
    [
      'touch on a phone',
      { viewport: NARROW, hasTouch: true, isMobile: true },
      async (what) => await what.tap(),
    ],
    ['mouse in a wide window', { viewport: WIDE }, async (what) => await what.click()],
  ])(
    'by %s a suggestion leads to its page, a search to its results, and each search can be repeated or forgotten',
    async (_, options, press) => {
      const { page, complaints } = await open(options)
      const opener = page.getByRole('button', { name: OPEN })
      await visit(page, '/')
      await press(opener)
      await expect.poll(async () => await isFocused(field(page))).toBe(true)
      await page.keyboard.type('houl')
      const first = list(page).getByRole('option').first()
      await expect.poll(async () => await first.textContent()).toContain('La Houle')
      await expectInReach(page, list(page), list(page).getByRole('option'))
      await press(first)
      await page.waitForURL('**/content/la-houle-*')
      await list(page).waitFor({ state: 'detached' })

      await visit(page, '/')
      await press(opener)
      await expect.poll(async () => await isFocused(field(page))).toBe(true)
      await page.keyboard.type('métier')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/search/m%C3%A9tier')
      await cards(page).filter({ hasText: 'Le Métier' }).first().waitFor()
      await list(page).waitFor({ state: 'detached' })
      await press(cards(page).first())
      await page.waitForURL('**/series/le-metier-*/details')

      await visit(page, '/')
      await press(opener)
      const again = recent(page).getByRole('link', { name: 'métier' })
      await again.waitFor()
      await expectInReach(page, recent(page), recent(page).getByRole('listitem'))
      await press(again)
      await page.waitForURL('**/search/m%C3%A9tier')
      await page.getByRole('heading', { level: 1, name: '« métier »' }).waitFor()
      await recent(page).waitFor({ state: 'detached' })

      await visit(page, '/')
      await press(opener)
      await press(recent(page).getByRole('button', { name: 'Supprimer « métier » des recherches récentes' }))
      await recent(page).waitFor({ state: 'detached' })
      // The field stays open with the focus, because a viewer who has cleared the earlier searches probably wants
      // to type.
      expect(await isFocused(field(page))).toBe(true)
      await page.keyboard.type('houle')
      await list(page).waitFor()
      expect(complaints).toEqual([])
    },
  )

  it.each<[string, BrowserContextOptions, (what: Locator) => Promise<void>]>([
    [
      'touch on a phone',
      { viewport: NARROW, hasTouch: true, isMobile: true },
      async (what) => await what.tap(),
    ],
    ['mouse in a wide window', { viewport: WIDE }, async (what) => await what.click()],
  ])('by %s an empty result offers a way on', async (_, options, press) => {
    const { page, complaints } = await open(options)
    await visit(page, '/')
    await press(page.getByRole('button', { name: OPEN }))
    await expect.poll(async () => await isFocused(field(page))).toBe(true)
    await page.keyboard.type('zzyzx')
    await page.getByRole('banner').getByText('Aucune suggestion').waitFor({ state: 'attached' })
    expect(await list(page).count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Aucun résultat pour « zzyzx »' }).waitFor()
    const way = cards(page).first()
    const path = (await way.getAttribute('href')) ?? ''
    await press(way)
    await page.waitForURL(`**${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    // The earlier searches must not include a search without results.
    await visit(page, '/search/houle')
    await cards(page).first().waitFor()
    await visit(page, '/')
    await press(page.getByRole('button', { name: OPEN }))
    await expect.poll(async () => await isFocused(field(page))).toBe(true)
    await recent(page).getByText('houle').waitFor()
    expect(await recent(page).getByText('zzyzx').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('on a phone the back button stays beside the field, and the tabs below it', async () => {
    const { page, complaints } = await open({ viewport: NARROW, hasTouch: true, isMobile: true })
    await visit(page, '/live')
    await page.getByRole('button', { name: OPEN }).tap()
    await expect.poll(async () => await isFocused(field(page))).toBe(true)
    await page.keyboard.type('houle')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search/houle')
    await cards(page).first().waitFor()
    // The field stays open on the screen with the results.
    const tabs = page.getByRole('navigation', { name: 'Navigation rapide' })
    await tabs.getByRole('link', { name: 'Accueil' }).waitFor()
    await page.getByRole('button', { name: 'Retour' }).tap()
    await page.waitForURL('**/live')
    expect(complaints).toEqual([])
  })

  it.each<[string, BrowserContextOptions]>([
    ['a narrow window', { viewport: NARROW }],
    ['a wide window', { viewport: WIDE }],
  ])(
    'by keys alone in %s arrows cycle through the suggestions, Enter opens the selected one, Escape steps back',
    async (_, options) => {
      const { page, complaints } = await open(options)
      await visit(page, '/')
      await tabTo(page, OPEN)
      await page.keyboard.press('Enter')
      await expect.poll(async () => await isFocused(field(page))).toBe(true)
      await page.keyboard.type('métier')
      await list(page).waitFor()
      const choices = list(page).getByRole('option')
      await expect.poll(async () => await choices.first().textContent()).toContain('Le Métier')
      // The suggestions for the first letters may begin with the same title, so the test waits for the suggestions
      // for the whole word.
      await page.locator('[data-outdated]').waitFor({ state: 'detached' })
      expect(await lit(page).count()).toBe(0)
      // Arrow up moves from the field to the last suggestion. Arrow down moves from there back to the field.
      await page.keyboard.press('ArrowUp')
      await expect
        .poll(async () => await lit(page).getAttribute('id'))
        .toBe(await choices.last().getAttribute('id'))
      await page.keyboard.press('ArrowDown')
      await expect.poll(async () => await lit(page).count()).toBe(0)
      await page.keyboard.press('ArrowDown')
      await expect.poll(async () => await lit(page).textContent()).toContain('Le Métier')
      expect(await isFocused(field(page))).toBe(true)
      expect(await axeFaults(page, 'header')).toEqual([])

      // The first Escape closes the suggestions, and keeps the typed text. The second Escape closes the field, and
      // moves the focus back to the field's button.
      await page.keyboard.press('Escape')
      await list(page).waitFor({ state: 'detached' })
      expect(await field(page).inputValue()).toBe('métier')
      expect(await isFocused(field(page))).toBe(true)
      await page.keyboard.press('Escape')
      const opener = page.getByRole('button', { name: OPEN })
      await opener.waitFor()
      await expect.poll(async () => await isFocused(opener)).toBe(true)

      await page.keyboard.press('Enter')
      await expect.poll(async () => await isFocused(field(page))).toBe(true)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('houl')
      await expect.poll(async () => await choices.first().textContent()).toContain('La Houle')
      await page.keyboard.press('ArrowDown')
      await expect.poll(async () => await lit(page).textContent()).toContain('La Houle')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/content/la-houle-*')
      expect(complaints).toEqual([])
    },
  )

  it.each<[string, BrowserContextOptions]>([
    ['a narrow window', { viewport: NARROW }],
    ['a wide window', { viewport: WIDE }],
  ])(
    'by keys alone in %s a viewer searches, reaches results and recent searches, and leaves an empty result',
    async (_, options) => {
      const { page, complaints } = await open(options)
      await visit(page, '/')
      await tabTo(page, OPEN)
      await page.keyboard.press('Enter')
      await expect.poll(async () => await isFocused(field(page))).toBe(true)
      // No suggestion is selected: Enter searches for the text of the field.
      await page.keyboard.type('houle')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/search/houle')
      await cards(page).filter({ hasText: 'La Houle' }).first().waitFor()
      await tabTo(page, /La Houle/)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/content/la-houle-*')

      await visit(page, '/')
      await tabTo(page, OPEN)
      await page.keyboard.press('Enter')
      await recent(page).waitFor()
      await tabTo(page, /^houle$/)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/search/houle')

      await visit(page, '/')
      await tabTo(page, OPEN)
      await page.keyboard.press('Enter')
      await recent(page).waitFor()
      await tabTo(page, /^Supprimer « houle » des recherches récentes$/)
      await page.keyboard.press('Enter')
      await recent(page).waitFor({ state: 'detached' })
      expect(await isFocused(field(page))).toBe(true)

      await page.keyboard.type('zzyzx')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Aucun résultat pour « zzyzx »' }).waitFor()
      const path = (await cards(page).first().getAttribute('href')) ?? ''
      const name = (await cards(page).first().textContent()) ?? ''
      await tabTo(page, new RegExp(`^${name.replaceAll(/[^\p{L}\d ]/gu, '.')}$`))
      await page.keyboard.press('Enter')
      await page.waitForURL(`**${path}`)
      expect(complaints).toEqual([])
    },
  )
})

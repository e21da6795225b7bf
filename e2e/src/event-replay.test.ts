import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alive, launchBrowser, openPage, visit } from './browser.ts'
import { closeContext } from './reused-contexts.ts'
import { sharedService } from './shared-service.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

describe('actions before the page is alive', () => {
  let browser: Browser
  const { origin } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => await browser.close())

  /** Opens a page whose scripts do not load until `letGo` is called. */
  async function held(
    path: string,
    options: BrowserContextOptions = PHONE,
  ): Promise<{ page: Page; complaints: string[]; letGo: () => void }> {
    const { page, complaints } = await openPage(browser, origin, options)
    let letGo: () => void = () => {}
    const released = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/assets/*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(path, { waitUntil: 'commit' })
    await page.locator('main').waitFor()
    return { page, complaints, letGo }
  }

  /** Returns the focused element of the screen; empty if nothing there has the focus. */
  const focusedInMain = async (page: Page) =>
    await page.evaluate(() => {
      const here = document.activeElement
      return here?.matches('main *') === true ? here.outerHTML : ''
    })
  const searchButton = (page: Page) => page.getByRole('button', { name: /^(Ouvrir|Fermer) la recherche$/ })
  const expanded = async (page: Page) => await searchButton(page).getAttribute('aria-expanded')

  it('a press takes effect once the page is alive, once', async () => {
    const { page, complaints, letGo } = await held('/live')
    await searchButton(page).click()
    expect(await expanded(page)).toBe('false')
    letGo()
    await alive(page)
    await expect.poll(async () => await expanded(page)).toBe('true')
    expect(complaints).toEqual([])
    await closeContext(page.context())
  })

  it('a press is dropped when another press follows it', async () => {
    const { page, letGo } = await held('/live')
    await searchButton(page).click()
    await page.getByRole('heading', { level: 2, name: 'Toutes les chaînes' }).click()
    letGo()
    await alive(page)
    // A new press has its effect exactly once.
    await searchButton(page).click()
    await expect.poll(async () => await expanded(page)).toBe('true')
    await closeContext(page.context())
  })

  it('presses on a page that is alive are not replayed', async () => {
    const { page } = await openPage(browser, origin, PHONE)
    await visit(page, '/live')
    await searchButton(page).click()
    await expect.poll(async () => await expanded(page)).toBe('true')
    expect(await page.evaluate(() => Reflect.get(window, 'eventReplay').button)).toBeNull()
    await closeContext(page.context())
  })

  it('arrow keys move the focus once the page is alive', async () => {
    const { page, complaints, letGo } = await held('/live', {})
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await focusedInMain(page)).toBe('')
    letGo()
    await alive(page)
    await expect.poll(async () => await focusedInMain(page)).not.toBe('')
    const after = await focusedInMain(page)
    // Proves that both earlier keys had their effect: arrow up leads back to the element that the first key reached.
    await page.keyboard.press('ArrowUp')
    expect(await focusedInMain(page)).not.toBe(after)
    expect(complaints).toEqual([])
    await closeContext(page.context())
  })

  it('the first arrow key counts on a page that is never idle, and loads its code', async () => {
    const { page } = await openPage(browser, origin)
    await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }))
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await visit(page, '/live')
    expect(asked.filter((url) => /late-work/.test(url))).toEqual([])
    await page.keyboard.press('ArrowDown')
    await expect.poll(async () => await focusedInMain(page)).not.toBe('')
    await closeContext(page.context())
  })

  it('the first arrow key on a select moves the focus and does not open it, on a page that is never idle', async () => {
    const { page } = await openPage(browser, origin)
    await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }))
    await visit(page, '/all-content')
    const select = page.getByRole('main').locator('button[aria-haspopup=listbox]')
    const chosen = await select.textContent()
    await select.focus()
    const before = await focusedInMain(page)
    await page.keyboard.press('ArrowDown')
    await expect.poll(async () => await focusedInMain(page)).not.toBe(before)
    expect(await focusedInMain(page)).toMatch(/^<a/)
    expect(await page.getByRole('listbox').count()).toBe(0)
    expect(await select.textContent()).toBe(chosen)
    await closeContext(page.context())
  })

  it('V2.4-06 a search keeps its focus and its text, and is sent once', async () => {
    const { page, complaints, letGo } = await held('/search/houle', {})
    const field = page.getByRole('banner').locator('input[type=search]')
    await field.focus()
    await page.keyboard.press('End')
    await page.keyboard.type(' basse')
    letGo()
    await alive(page)
    await expect.poll(async () => await field.inputValue()).toBe('houle basse')
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search/houle%20basse')
    expect(complaints).toEqual([])
    await closeContext(page.context())
  })

  it('a search that was sent with the Enter key stays on the page, and is answered', async () => {
    const { page, letGo } = await held('/search/houle', {})
    await page.getByRole('banner').locator('input[type=search]').focus()
    await page.keyboard.type('métier')
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).pathname).toBe('/search/houle')
    letGo()
    await page.waitForURL(/\/search\/.*m%C3%A9tier/)
    await closeContext(page.context())
  })
})

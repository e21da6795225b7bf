import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alive, launchBrowser, openPage, visit } from './browser.ts'
import { sharedService } from './shared-service.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

describe('a press before the page is alive', () => {
  let browser: Browser
  const { origin } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => await browser.close())

  /** A page whose scripts wait until they are let go. */
  async function held(path: string): Promise<{ page: Page; complaints: string[]; letGo: () => void }> {
    const { page, complaints } = await openPage(browser, origin, PHONE)
    let letGo: () => void = () => {}
    const released = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/assets/*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(path, { waitUntil: 'commit' })
    await burger(page).waitFor()
    return { page, complaints, letGo }
  }

  const burger = (page: Page) => page.getByRole('button', { name: /^(Ouvrir|Fermer) le menu$/ }).first()
  const expanded = async (page: Page) => await burger(page).getAttribute('aria-expanded')

  it('is heard once the page is alive, once', async () => {
    const { page, complaints, letGo } = await held('/live')
    await burger(page).click()
    expect(await expanded(page)).toBe('false')
    letGo()
    await alive(page)
    await expect.poll(async () => await expanded(page)).toBe('true')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('is forgotten when something else was pressed after it', async () => {
    const { page, letGo } = await held('/live')
    await burger(page).click()
    await page.getByRole('heading', { level: 1 }).first().click()
    letGo()
    await alive(page)
    // A press of now still counts, and counts once.
    await burger(page).click()
    await expect.poll(async () => await expanded(page)).toBe('true')
    await page.context().close()
  })

  it('leaves presses on a page that is alive alone', async () => {
    const { page } = await openPage(browser, origin, PHONE)
    await visit(page, '/live')
    await burger(page).click()
    await expect.poll(async () => await expanded(page)).toBe('true')
    expect(await page.evaluate(() => Reflect.get(window, 'earlyPress').button)).toBeNull()
    await page.context().close()
  })
})

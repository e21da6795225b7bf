import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

/** A picture four times as wide as high. */
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"><path fill="#fff" d="M0 0h4v1H0z"/></svg>'

describe('the logo of an operator', () => {
  const open = testBrowser()
  const configure = testConfiguration()

  /** Where everything in the bar stands. */
  async function placesInBar(page: Page): Promise<number[][]> {
    return await page
      .getByRole('banner')
      .locator('a:visible, button:visible')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).map(({ x, y }) => [x, y]))
  }

  describe.each([
    ['full', 1280],
    ['compact', 360],
  ] as const)('%s, in a window of %i pixels', (variant, width) => {
    it.each(['/live', '/landing'])(
      'V3-55 the name stands in on %s when its file is missing',
      async (path) => {
        await configure({ 'brand.name': 'Lumière', [`brand.logos.${variant}`]: '/nothing-here.png' })
        const { page } = await open({ viewport: { width, height: 800 } })
        await visit(page, path)
        const home = page.getByRole('banner').getByRole('link', { name: 'Lumière' })
        await home.getByText('Lumière').filter({ visible: true }).waitFor()
        expect(await home.locator('img:visible').count()).toBe(0)
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
      },
    )

    it('V3-55 nothing in the bar moves when it comes', async () => {
      await configure({ 'brand.name': 'Lumière', [`brand.logos.${variant}`]: '/late-logo.svg' })
      const { page, complaints } = await open({ viewport: { width, height: 800 } })
      const asked = Promise.withResolvers<void>()
      const held = Promise.withResolvers<void>()
      await page.route('**/late-logo.svg', async (route) => {
        asked.resolve()
        await held.promise
        await route.fulfill({ body: LOGO, contentType: 'image/svg+xml' })
      })
      await visit(page, '/live', { waitUntil: 'domcontentloaded' })
      await asked.promise
      // Words move when their font comes.
      await page.evaluate(async () => {
        await document.fonts.ready
      })
      const before = await placesInBar(page)
      expect(before.length).toBeGreaterThan(1)
      held.resolve()
      const picture = page.getByRole('banner').locator('img[src="/late-logo.svg"]:visible')
      await expect
        .poll(async () => await picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0)
      expect(await placesInBar(page)).toEqual(before)
      expect(complaints).toEqual([])
    })
  })
})

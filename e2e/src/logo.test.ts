import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

/** Returns a picture with this aspect ratio. */
const logo = (ratio: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${ratio} 1"><path fill="#fff" d="M0 0h${ratio}v1H0z"/></svg>`

describe('the logo of an operator', () => {
  const open = testBrowser()
  const configure = testConfiguration()

  /** Returns the positions of all elements in the bar. */
  async function placesInBar(page: Page): Promise<number[][]> {
    return await page
      .getByRole('banner')
      .locator('a:visible, button:visible')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).map(({ x, y }) => [x, y]))
  }

  describe.each([
    ['full', 1280, 6],
    ['compact', 360, 2.5],
  ] as const)('%s, in a window of %i pixels', (variant, width, longest) => {
    it.each(['/live', '/landing'])(
      'V3-55 the name replaces it on %s when its file is missing',
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

    it.each([1, 1.5, 3.5, longest])(
      'V3-55 is at least as high as a line of the bar when it is %d times as wide as high',
      async (ratio) => {
        await configure({ 'brand.name': 'Lumière', [`brand.logos.${variant}`]: '/logo.svg' })
        const { page } = await open({ viewport: { width, height: 800 } })
        await page.route(
          '**/logo.svg',
          async (route) => await route.fulfill({ body: logo(ratio), contentType: 'image/svg+xml' }),
        )
        await visit(page, '/live')
        const picture = page.getByRole('banner').locator('img[src="/logo.svg"]:visible')
        const [height, line] = await picture.evaluate((image: HTMLImageElement, of) => {
          const box = image.getBoundingClientRect()
          return [Math.min(box.height, box.width / of), Number.parseFloat(getComputedStyle(image).fontSize)]
        }, ratio)
        expect(height).toBeGreaterThanOrEqual(line ?? Infinity)
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
      },
    )

    it('V3-55 nothing in the bar moves when it loads', async () => {
      await configure({ 'brand.name': 'Lumière', [`brand.logos.${variant}`]: '/late-logo.svg' })
      const { page, complaints } = await open({ viewport: { width, height: 800 } })
      const asked = Promise.withResolvers<void>()
      const held = Promise.withResolvers<void>()
      await page.route('**/late-logo.svg', async (route) => {
        asked.resolve()
        await held.promise
        await route.fulfill({ body: logo(4), contentType: 'image/svg+xml' })
      })
      await visit(page, '/live', { waitUntil: 'domcontentloaded' })
      await asked.promise
      // Waits for the fonts, because text moves when its font loads.
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

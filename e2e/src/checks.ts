import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The widths of windows that every screen is held against, in pixels. */
export const WIDTHS = [360, 820, 1280, 1920] as const

/** Those at which axe looks at a screen: the narrow and the wide form of what it shows. */
const AXE_WIDTHS: readonly number[] = [360, 1280]

/** What axe finds on a page, or in a part of it: nothing, when all is well. */
export async function axeFaults(page: Page, part?: string): Promise<string[]> {
  // Pages here hold no frames of others; without them axe needs no second page to put its findings together.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

/** Makes the window so wide, and waits until the page is no wider. */
export async function expectToFit(page: Page, width: number, message: string): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  // The page follows its window in the next frame.
  await expect
    .poll(async () => await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), {
      message: `${message} at ${width}`,
    })
    .toBeLessThanOrEqual(0)
}

/** A page fits every width, and axe finds nothing. */
export async function expectSound(page: Page, message: string): Promise<void> {
  for (const width of WIDTHS) {
    await expectToFit(page, width, message)
    if (AXE_WIDTHS.includes(width)) expect(await axeFaults(page), `${message} at ${width}`).toEqual([])
  }
}

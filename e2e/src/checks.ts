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
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    // React Aria keeps each announcement there for seconds. By then the button that names it may be gone.
    .exclude('[data-live-announcer]')
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

/** The smallest text in a window of {@link WIDE} px, in px: what is 12.5 px in usual windows grows to it (`--wide` of `tokens.css`). */
const SMALLEST_TEXT = 15
const WIDE = 1920

/** Texts that are too small in a wide window, which is looked at from further away: nothing, when all is well. */
export async function smallTexts(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: WIDE, height: 1080 })
  await page.waitForFunction((width) => innerWidth === width, WIDE)
  return await page.evaluate((least) => {
    const found = new Set<string>()
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const words = (node.textContent ?? '').trim()
      const element = node.parentElement
      if (words === '' || element === null || element.closest('svg, noscript') !== null) continue
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      // Text for screen readers only has the size of a pixel.
      const { width, height } = element.getBoundingClientRect()
      const size = Number.parseFloat(getComputedStyle(element).fontSize)
      if (width > 1 && height > 1 && size < least) found.add(`${size} px: ${words.slice(0, 40)}`)
    }
    return [...found]
  }, SMALLEST_TEXT)
}

/** Side of what a finger hits, in px: WCAG 2.2, 2.5.5. */
const TARGET = 44

/**
 * What of a page is too small for a finger in a window of `width` px: nothing, when all is well. Links within a text are as high as
 * its lines, as the criterion allows.
 */
export async function touchFaults(page: Page, width: number): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  try {
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    await page.setViewportSize({ width, height: page.viewportSize()?.height ?? 800 })
    await page.waitForFunction(() => matchMedia('(pointer: coarse)').matches)
    return await page.evaluate((least) => {
      const isInText = (element: Element) =>
        getComputedStyle(element).display === 'inline' &&
        [...(element.parentElement?.childNodes ?? [])].some(
          (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim().length > 1,
        )
      // A part that is drawn smaller may be hit beside it. Half a pixel is lost where the page rounds.
      const isHit = (element: Element, box: DOMRect) => {
        const reach = least / 2 - 0.5
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
        return (
          [
            [x - reach, y],
            [x + reach, y],
            [x, y - reach],
            [x, y + reach],
          ] as const
        ).every(([left, top]) => {
          const found = document.elementFromPoint(left, top)
          return found === null || element.contains(found) || found.contains(element)
        })
      }
      const targets =
        'a[href], button, input:not([type=hidden]), select, textarea, [role=tab], [role=option], summary'
      return [...document.querySelectorAll(targets)].flatMap((element) => {
        const target = element.matches('input') ? (element.closest('label') ?? element) : element
        if (!target.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return []
        if (target.closest('[inert], [aria-hidden=true]') !== null || isInText(target)) return []
        target.scrollIntoView({ block: 'center', inline: 'center' })
        const box = target.getBoundingClientRect()
        // Skips targets for screen readers only: they, or the element that hides them, are one pixel wide.
        const around = target.parentElement?.getBoundingClientRect() ?? box
        if (Math.min(box.width, box.height, around.width) <= 1 || box.bottom < 0) return []
        if ((box.width >= least - 0.5 && box.height >= least - 0.5) || isHit(target, box)) return []
        const name = target.getAttribute('aria-label') ?? target.textContent?.trim() ?? ''
        return [
          `${target.tagName} “${name.slice(0, 40)}” is ${Math.round(box.width)} × ${Math.round(box.height)}`,
        ]
      })
    }, TARGET)
  } finally {
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: false })
    await session.detach()
  }
}

import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Window widths at which every screen is checked, in pixels. */
export const WIDTHS = [360, 820, 1280, 1920] as const

/** Widths for axe: the narrow and the wide layout. */
export const AXE_WIDTHS: readonly number[] = [360, 1280]

/**
 * Returns the faults that axe finds on a page, or in a part of it.
 * @param rules the rules of axe to check; by default all
 */
export async function axeFaults(page: Page, part?: string, rules?: string[]): Promise<string[]> {
  // Adds the script of axe once to each document, because evaluating the script takes longer than a check.
  if (!(await page.evaluate(() => Reflect.has(window, 'axe')))) await page.evaluate(axe.source)
  return await page.evaluate(
    async ({ context, runOnly }) => {
      const { run } = Reflect.get(window, 'axe') as typeof axe
      // Waits for colour transitions, because axe would measure the contrast in the middle of a transition. The
      // promise of a cancelled transition rejects.
      const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition)
      await Promise.allSettled(transitions.map(async ({ finished }) => await finished))
      const { violations } = await run(context, {
        resultTypes: ['violations'],
        ...(runOnly === undefined ? {} : { runOnly }),
      })
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
    },
    {
      context: {
        // Excludes React Aria's announcer, which keeps each announcement for seconds. An announcement may contain
        // the name of a button that the page has removed.
        exclude: ['[data-live-announcer]'],
        ...(part === undefined ? {} : { include: [part] }),
      },
      runOnly: rules,
    },
  )
}

/** Sets the width of the window, and waits until the page is not wider than the window. */
export async function expectToFit(page: Page, width: number, message: string): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  // The page is laid out for the new size in the next frame.
  await expect
    .poll(async () => await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), {
      message: `${message} at ${width}`,
    })
    .toBeLessThanOrEqual(0)
}

/** Checks that a page fits every width, and that axe finds no fault at `axeWidths`. */
export async function expectSound(
  page: Page,
  message: string,
  axeWidths: readonly number[] = AXE_WIDTHS,
): Promise<void> {
  for (const width of WIDTHS) {
    await expectToFit(page, width, message)
    if (axeWidths.includes(width)) expect(await axeFaults(page), `${message} at ${width}`).toEqual([])
  }
}

/**
 * Minimum size of text in a window of {@link WIDE} px, in px. The styles scale text with the width of the window:
 * 12.5 px in an ordinary window is 15 px here (`--wide` of `tokens.css`).
 */
const SMALLEST_TEXT = 15
const WIDE = 1920

/** Returns texts that are too small in a wide window, which is viewed from a greater distance. */
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
      // Skips text for screen readers only, whose box has the size of one pixel.
      const { width, height } = element.getBoundingClientRect()
      const size = Number.parseFloat(getComputedStyle(element).fontSize)
      if (width > 1 && height > 1 && size < least) found.add(`${size} px: ${words.slice(0, 40)}`)
    }
    return [...found]
  }, SMALLEST_TEXT)
}

/** Minimum side of a touch target, in px: WCAG 2.2, 2.5.5. */
const TARGET = 44

/**
 * Returns the touch targets of a page that are too small in a window of `width` px. Links within a text are as high
 * as its lines, as the criterion allows.
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
      // The area that reacts may extend beyond the visible part. Rounding loses half a pixel.
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
      // A checkbox may have two labels: its box, and its text beside it, which is the larger target.
      const labelOf = (input: HTMLInputElement) =>
        input.type === 'checkbox' ? [...(input.labels ?? [])].at(-1) : input.closest('label')
      const targets =
        'a[href], button, input:not([type=hidden]), select, textarea, [role=tab], [role=option], summary'
      return [...document.querySelectorAll(targets)].flatMap((element) => {
        const target = element instanceof HTMLInputElement ? (labelOf(element) ?? element) : element
        if (!target.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return []
        if (target.closest('[inert], [aria-hidden=true]') !== null || isInText(target)) return []
        target.scrollIntoView({ block: 'center', inline: 'center' })
        const box = target.getBoundingClientRect()
        // Skips targets for screen readers only. Such a target, or the element that hides it, is one pixel wide.
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

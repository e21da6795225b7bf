import type { Page } from 'playwright-core'

const ARROWS = ['ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft'] as const
const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]), select, textarea, summary, [tabindex="0"]'

/** Gives every visible focusable element a permanent number. @returns the numbers with readable names */
async function numbered(page: Page): Promise<Map<string, string>> {
  const all = await page.locator(FOCUSABLE).evaluateAll((elements) => {
    const shown = elements.filter((element): element is HTMLElement => {
      const { width, height } = element.getBoundingClientRect()
      return (
        element instanceof HTMLElement &&
        element.tabIndex >= 0 &&
        // A skip link has no size until it has the focus. It is for the Tab key only.
        width > 4 &&
        height > 4 &&
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        element.closest('[inert], [aria-hidden="true"]') === null
      )
    })
    return shown.map((element) => {
      const known = Number(document.body.dataset.stops ?? 0)
      if (element.dataset.stop === undefined) {
        element.dataset.stop = String(known)
        document.body.dataset.stops = String(known + 1)
      }
      const name = element.getAttribute('aria-label') ?? element.textContent
      return [element.dataset.stop ?? '', `${element.tagName} ${name.trim().slice(0, 50)}`] as const
    })
  })
  return new Map(all)
}

/** Returns the number of the focused element; empty without focus. */
async function here(page: Page): Promise<string> {
  return await page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? (document.activeElement.dataset.stop ?? '') : '',
  )
}

/**
 * Walks a page by arrows alone, from every element that the focus reaches. @returns the elements that the focus cannot
 * reach, and the elements that it cannot leave
 */
export async function lost(page: Page): Promise<string[]> {
  const begun = await numbered(page)
  await page.keyboard.press('ArrowDown')
  const reached = new Set([await here(page)])
  const stuck: string[] = []
  for (const stop of reached) {
    let ways = 0
    for (const arrow of ARROWS) {
      const from = page.locator(`[data-stop="${stop}"]`)
      if ((await from.count()) === 0) break
      await from.focus()
      // In a text, the arrow first moves the caret to the end.
      if (arrow === 'ArrowRight' && (await from.evaluate((element) => element instanceof HTMLInputElement)))
        await page.keyboard.press('End')
      await page.keyboard.press(arrow)
      await numbered(page)
      const to = await here(page)
      if (to !== '' && to !== stop) ways += 1
      if (to !== '') reached.add(to)
    }
    if (ways === 0) stuck.push(stop)
  }
  const all = await numbered(page)
  return [
    // Leaves out elements that the page has rendered anew meanwhile, such as the next programme.
    ...[...all]
      .filter(([stop]) => begun.has(stop) && !reached.has(stop))
      .map(([, name]) => `not reached: ${name}`),
    ...stuck.flatMap((stop) => (all.has(stop) ? [`not left: ${all.get(stop)}`] : [])),
  ]
}

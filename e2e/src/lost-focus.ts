import type { Page } from 'playwright-core'

const ARROWS = ['ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft'] as const
const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]), select, textarea, summary, [tabindex="0"]'

/**
 * Numbers the visible elements that `selector` selects. An element keeps its number.
 *
 * @returns readable names by number
 */
async function numbered(page: Page, selector: string): Promise<Map<string, string>> {
  const all = await page.evaluate((wanted) => {
    const shown = [...document.querySelectorAll<HTMLElement>(wanted)].filter((element) => {
      const { width, height } = element.getBoundingClientRect()
      return (
        element.tabIndex >= 0 &&
        // Leaves out the skip link, which has no size until it has the focus, and which only the Tab key reaches.
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
  }, selector)
  return new Map(all)
}

/** Returns the number of the focused element; empty without focus. */
async function here(page: Page): Promise<string> {
  // Numbers only this element, because to number all of them takes longer than the press of an arrow.
  const [stop = ''] = (await numbered(page, `:is(${FOCUSABLE}):focus`)).keys()
  return stop
}

/** Gives an element the focus. @returns its kind; undefined if the page has removed the element */
async function focusOn(page: Page, stop: string): Promise<'text' | 'other' | undefined> {
  return await page.evaluate((number) => {
    const element = document.querySelector<HTMLElement>(`[data-stop="${number}"]`)
    element?.focus()
    if (element === null) return undefined
    return element instanceof HTMLInputElement ? 'text' : 'other'
  }, stop)
}

/**
 * Walks a page by arrows alone, from every element that the focus reaches, until the focus has reached and left every
 * element. @returns the elements that the focus cannot reach, and the elements that it cannot leave
 */
export async function lost(page: Page): Promise<string[]> {
  const begun = await numbered(page, FOCUSABLE)
  await page.keyboard.press('ArrowDown')
  // The first arrow loads the code that moves the focus.
  await page.waitForFunction(() => document.activeElement?.matches('[data-stop]') === true)
  /** The arrows not yet pressed, by the number of each element that the focus has reached. */
  const untried = new Map<string, string[]>()
  const reach = (stop: string) => void (stop === '' || untried.has(stop) || untried.set(stop, [...ARROWS]))
  reach(await here(page))
  const left = new Set<string>()
  const isComplete = () =>
    [...begun.keys()].every((stop) => untried.has(stop)) &&
    [...untried.keys()].every((stop) => left.has(stop))
  while (!isComplete()) {
    // Goes on from the newest element, because most of its neighbours are new too.
    const [stop, arrows] = [...untried].findLast(([, rest]) => rest.length > 0) ?? ['', []]
    const arrow = arrows.shift()
    if (arrow === undefined) break
    const kind = await focusOn(page, stop)
    if (kind === undefined) {
      untried.set(stop, [])
      left.add(stop)
      continue
    }
    // Arrow right leaves a text field only when the caret is at the end.
    if (arrow === 'ArrowRight' && kind === 'text') await page.keyboard.press('End')
    await page.keyboard.press(arrow)
    const to = await here(page)
    if (to !== '' && to !== stop) left.add(stop)
    reach(to)
  }
  const all = await numbered(page, FOCUSABLE)
  return [
    // Leaves out elements that the page has replaced since the start, such as the card of a programme that has
    // ended.
    ...[...all]
      .filter(([stop]) => begun.has(stop) && !untried.has(stop))
      .map(([, name]) => `not reached: ${name}`),
    ...[...untried.keys()].flatMap((stop) =>
      !left.has(stop) && all.has(stop) ? [`not left: ${all.get(stop)}`] : [],
    ),
  ]
}

import type { ElementHandle, Page } from 'playwright-core'
import sharp from 'sharp'

/** Selectors of selected and switched-on elements. */
const CHOSEN = [
  '[aria-current]:not([aria-current="false"])',
  '[aria-pressed="true"]',
  '[aria-selected="true"]',
  '[data-selected]',
]
/** Smallest visible difference of a colour component. */
const SEEN = 60
/** Number of differing pixels from which an element counts as visibly different. The edge of a letter has fewer. */
const FEWEST_PIXELS = 24

type Element = ElementHandle<HTMLElement | SVGElement>

/**
 * Finds selected elements that look the same without the attribute that marks them as selected.
 * @param seen kinds of elements that earlier calls have checked at the same width, with the same style rules. The
 * call adds the kinds that it checks
 */
export async function chosenUnseen(page: Page, seen = new Set<string>()): Promise<string[]> {
  const found: string[] = []
  // Uses element handles, because a locator stops matching when the attribute that marks an element as selected is
  // removed.
  for (const each of await page.$$(CHOSEN.map((each) => `${each}:visible`).join())) {
    // Checks one element of each kind. The kind includes the class of the parent, because the style may depend on
    // the parent.
    const { kind, name } = await each.evaluate((element) => ({
      kind: `${element.parentElement?.className} ${element.tagName} ${element.getAttribute('class')}`,
      name: `${element.tagName} “${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}”`,
    }))
    if (seen.has(kind) || !(await isShown(each))) continue
    seen.add(kind)
    if (!(await looksChosen(each))) found.push(`${name} does not look chosen`)
  }
  return found
}

/** Returns whether an element is visible and not only for screen readers. */
async function isShown(element: Element): Promise<boolean> {
  const box = await element.boundingBox()
  return box !== null && box.width > 4 && box.height > 4
}

/** Returns whether an element looks different without the attribute that marks it as selected. */
async function looksChosen(element: Element): Promise<boolean> {
  // Scrolls the element to the middle, because on phones the tab bar covers the bottom of the window.
  await element.evaluate((chosen) => chosen.scrollIntoView({ block: 'center' }))
  const before = await element.screenshot({ animations: 'disabled' })
  const said = await element.evaluate((chosen) =>
    ['aria-current', 'aria-pressed', 'aria-selected', 'data-selected'].flatMap((name) => {
      const value = chosen.getAttribute(name)
      chosen.removeAttribute(name)
      return value === null ? [] : [[name, value] as const]
    }),
  )
  const after = await element.screenshot({ animations: 'disabled' })
  await element.evaluate((chosen, attributes) => {
    for (const [name, value] of attributes) chosen.setAttribute(name, value)
  }, said)
  return (await differing(before, after)) >= FEWEST_PIXELS
}

/** Returns the number of visibly differing pixels of two pictures; infinity when their sizes differ. */
async function differing(one: Buffer, other: Buffer): Promise<number> {
  const [first, second] = await Promise.all(
    [one, other].map(async (picture) => await sharp(picture).removeAlpha().raw().toBuffer()),
  )
  if (first === undefined || second === undefined || first.length !== second.length)
    return Number.POSITIVE_INFINITY
  let count = 0
  for (let at = 0; at < first.length; at += 3) {
    const differs = [0, 1, 2].some(
      (part) => Math.abs((first[at + part] ?? 0) - (second[at + part] ?? 0)) > SEEN,
    )
    if (differs) count += 1
  }
  return count
}

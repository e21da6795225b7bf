/** Elements that can have the focus, and that can be found again after a new rendering. */
const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]'

/** Parts of a page that have a name or a role. They distinguish several cards of the same title. */
const PART = ':is([aria-label], [aria-labelledby]):is(section, nav, [role="grid"]), header, footer'

/** Overlays that give the focus back to the screen when they close. */
export const OVERLAY = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

/** The position of a focused element on a page. It stays valid after a new rendering. */
export interface Spot {
  /** Name of the part of the page that contains the element; empty for an element outside of all parts. */
  part: string
  name: string
  /** Index among the elements with the same name in the same part. */
  index: number
  /** Index among all elements of the part. */
  order: number
}

/** Returns the position of an element; undefined for an element that could not be found again. */
export function spotOf(element: Element | null): Spot | undefined {
  if (!(element instanceof HTMLElement) || !element.matches(FOCUSABLE)) return undefined
  const part = partOf(element)
  const name = nameOf(element)
  const inPart = elementsOf(part)
  return {
    part: partName(part),
    name,
    index: inPart.filter((each) => nameOf(each) === name).indexOf(element),
    order: inPart.indexOf(element),
  }
}

/** Returns the element at a position; undefined if the element is not rendered yet. */
export function elementAt({ part, name, index }: Spot): HTMLElement | undefined {
  return elementsIn(part).filter((each) => nameOf(each) === name)[index]
}

/** Returns the elements of a part of the page; none if there is no such part. */
export function elementsIn(name: string): HTMLElement[] {
  const part = [...document.querySelectorAll(PART)].find((each) => partName(each) === name)
  return part === undefined && name !== '' ? [] : elementsOf(part)
}

function elementsOf(part: Element | undefined): HTMLElement[] {
  const all = (part ?? document).querySelectorAll<HTMLElement>(FOCUSABLE)
  return [...all].filter((each) => partOf(each) === part)
}

function partOf(element: Element): Element | undefined {
  return element.parentElement?.closest(PART) ?? undefined
}

function partName(part: Element | undefined): string {
  if (part === undefined) return ''
  const title = document.getElementById(part.getAttribute('aria-labelledby') ?? '')
  return [part.tagName, title?.textContent, part.ariaLabel].join(' ')
}

/** A link is identified by its address, because its label can change, for example with the progress of a film. */
function nameOf(element: HTMLElement): string {
  const { tagName, ariaLabel, dataset } = element
  return [tagName, element.getAttribute('href') ?? ariaLabel, dataset.row, dataset.tile].join(' ')
}

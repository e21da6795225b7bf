/** Elements that can have the focus and can be found again after a page renders again. */
const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]'

/** Parts of a page with a name or a role of their own. The same title may have a card in several of them. */
const PART = ':is([aria-label], [aria-labelledby]):is(section, nav, [role="grid"]), header, footer'

/** Overlays that give the focus back to the screen when they close. */
export const OVERLAY = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

/** The position of the focus on a page, in a form that stays valid after a new rendering. */
export interface Spot {
  /** Name of the part of the page that contains the element; empty for the rest of the page. */
  part: string
  name: string
  /** The index among the elements with that name in that part. */
  index: number
  /** The index among all elements of that part. */
  order: number
}

/** Returns the position of an element; undefined for an element that cannot be found again. */
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

/** Returns the element at a position; undefined while it is not rendered. */
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

/** The address of a link identifies it. Its label may change, for example with the progress of a film. */
function nameOf(element: HTMLElement): string {
  const { tagName, ariaLabel, dataset } = element
  return [tagName, element.getAttribute('href') ?? ariaLabel, dataset.row, dataset.tile].join(' ')
}

import type { AnyRouter, ParsedLocation, RouterHistory } from '@tanstack/react-router'
import { routeAt } from '../../features/links/route-at.ts'

/** What can have the focus and be found again on a page that is drawn anew. */
const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]'

/** Where the focus was on a page, in words that hold when the page is drawn anew. */
interface Spot {
  name: string
  /** Which of those with that name. */
  index: number
}

/**
 * Takes the focus along when a viewer goes to another screen: to its heading, so that screen readers and keys begin there; and back
 * where it was when they come back, as from the player. A screen that takes the focus itself, such as a form, keeps it, and so
 * does a field that somebody types in.
 */
export function followFocus(router: AnyRouter): void {
  const spots = new Map<string, Spot>()
  let isBack = false
  let before: Element | null = null
  const history: RouterHistory = router.history
  history.subscribe(({ action }) => {
    isBack = action.type === 'BACK' || (action.type === 'GO' && action.index < 0)
  })
  router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
    before = document.activeElement
    if (fromLocation === undefined) return
    const spot = spotOf(before)
    if (spot === undefined) spots.delete(keyOf(fromLocation))
    else spots.set(keyOf(fromLocation), spot)
  })
  router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged || routeAt(toLocation.pathname)?.name === 'player') return
    if (isTakenBy(document.activeElement, before)) return
    const spot = isBack ? spots.get(keyOf(toLocation)) : undefined
    const target = (spot && elementAt(spot)) ?? heading()
    target?.focus({ preventScroll: true })
  })
}

/** Whether the focus stays: the new screen took it, or somebody types. What had it before and is still there lets it go. */
function isTakenBy(active: Element | null, before: Element | null): boolean {
  if (active === null || active === document.body) return false
  return active !== before || active.matches('input, select, textarea')
}

function keyOf({ state, href }: ParsedLocation): string {
  return state.key ?? href
}

function spotOf(element: Element | null): Spot | undefined {
  if (!(element instanceof HTMLElement) || !element.matches(FOCUSABLE)) return undefined
  const name = nameOf(element)
  return { name, index: allNamed(name).indexOf(element) }
}

function elementAt({ name, index }: Spot): HTMLElement | undefined {
  return allNamed(name)[index]
}

function allNamed(name: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((each) => nameOf(each) === name)
}

function nameOf(element: HTMLElement): string {
  const { tagName } = element
  return [tagName, element.getAttribute('href'), element.ariaLabel, element.dataset.tile].join(' ')
}

/** The heading of the screen, made to take the focus; the screen itself where it has none. */
function heading(): HTMLElement | null {
  const found = document.querySelector<HTMLElement>('main h1')
  if (found === null) return document.querySelector('main')
  found.tabIndex = -1
  return found
}

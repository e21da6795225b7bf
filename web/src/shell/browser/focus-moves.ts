import type { AnyRouter, ParsedLocation, RouterHistory } from '@tanstack/react-router'
import { routeAt } from '../../features/ground/links/route-at.ts'

/** Elements that can have the focus and can be found again after a page renders anew. */
const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]'

/** The position of the focus on a page, in a form that stays valid after a new rendering. */
interface Spot {
  name: string
  /** The index among the elements with that name. */
  index: number
}

/**
 * Moves the focus on navigation to the new screen's heading, so that screen readers and keys start there. On
 * return to a screen, for example from the player, it restores the focus. If the screen has set the focus
 * itself, for example to a form field, or if the viewer is typing in a field, the focus is not moved.
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

/**
 * Returns whether the focus must stay: the new screen took the focus, or the viewer is typing. An element of the old
 * screen that still exists loses the focus.
 */
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

/** Returns the heading of the screen and makes it focusable; the screen itself if it has no heading. */
function heading(): HTMLElement | null {
  const found = document.querySelector<HTMLElement>('main h1')
  if (found === null) return document.querySelector('main')
  found.tabIndex = -1
  return found
}

import type { AnyRouter, ParsedLocation, RouterHistory } from '@tanstack/react-router'
import { routeAt } from '../../features/ground/links/route-at.ts'
import { elementAt, OVERLAY, type Spot, spotOf } from './focus-spot.ts'

/**
 * Moves the focus to the new screen's heading on navigation, so that screen readers and keys start there. When the
 * viewer returns to a screen, for example from the player, restores the focus instead. Does not move the focus if
 * the new screen has set it, for example to a form field, or if the viewer is typing in a field.
 */
export function followFocus(router: AnyRouter): void {
  const spots = new Map<string, Spot>()
  let isBack = false
  let before: Element | null = null
  let outside: Element | null = null
  let stopWaiting = () => {}
  const history: RouterHistory = router.history
  history.subscribe(({ action }) => {
    isBack = action.type === 'BACK' || (action.type === 'GO' && action.index < 0)
  })
  addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.closest(OVERLAY) === null) outside = target
  })
  router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
    stopWaiting()
    before = document.activeElement
    if (fromLocation === undefined) return
    // If the focus is in a menu, stores the last focused element outside the menu, because the menu is closed when
    // the viewer comes back to this screen.
    const spot = spotOf(before?.closest(OVERLAY) ? outside : before)
    if (spot === undefined) spots.delete(keyOf(fromLocation))
    else spots.set(keyOf(fromLocation), spot)
  })
  router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged || routeAt(toLocation.pathname)?.name === 'player') return
    if (isTakenBy(document.activeElement, before)) return
    const spot = isBack ? spots.get(keyOf(toLocation)) : undefined
    if (spot === undefined || !focusAt(spot)) heading()?.focus({ preventScroll: true })
    if (spot !== undefined) stopWaiting = keepAt(spot)
  })
}

/** Events that show that the viewer is using the screen. */
const USES = ['keydown', 'pointerdown', 'pointermove', 'wheel']

/**
 * Restores the focus whenever the element at a position appears, until the viewer uses the screen. A rail can arrive
 * after its screen, and new data can render its cards again. Returns a function that ends the observation.
 */
function keepAt(spot: Spot): () => void {
  const ended = new AbortController()
  const observer = new MutationObserver(() => {
    const here = document.activeElement
    if (here?.matches('input, select, textarea') !== true && here?.closest(OVERLAY) == null) focusAt(spot)
  })
  const stop = () => {
    observer.disconnect()
    ended.abort()
  }
  observer.observe(document.body, { childList: true, subtree: true })
  for (const use of USES) addEventListener(use, stop, { capture: true, passive: true, signal: ended.signal })
  return stop
}

/** Focuses the element at a position. Returns false if the element is not rendered yet. */
function focusAt(spot: Spot): boolean {
  const target = elementAt(spot)
  if (target === undefined) return false
  if (target === document.activeElement) return true
  target.focus({ preventScroll: true })
  // The router restores the scroll position, but fails if the page was still too short. In this case, scrolls here.
  if (target.matches(':focus-visible')) target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  return true
}

/**
 * Returns whether the focus must not move, because the new screen has set it, or the viewer is typing. Returns
 * false if the focus is still on an element of the old screen.
 */
function isTakenBy(active: Element | null, before: Element | null): boolean {
  if (active === null || active === document.body) return false
  return active !== before || active.matches('input, select, textarea')
}

function keyOf({ state, href }: ParsedLocation): string {
  return state.key ?? href
}

/** Returns the heading of the screen and makes it focusable; the screen itself if it has no heading. */
function heading(): HTMLElement | null {
  const found = document.querySelector<HTMLElement>('main h1')
  if (found === null) return document.querySelector('main')
  found.tabIndex = -1
  return found
}

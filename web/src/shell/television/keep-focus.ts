import type { AnyRouter } from '@tanstack/react-router'
import { elementAt, elementsIn, OVERLAY, type Spot, spotOf } from '../browser/focus-spot.ts'
import { focusFirst, isPlace, scrolling, topDialog } from '../spatial/arrows.ts'
import { focusOverPicture, playerOnScreen } from './player-remote.ts'

/**
 * Time without changes after which a screen counts as complete, in milliseconds. Until then, the screen can set
 * the focus itself.
 */
const SETTLE_MS = 150

/**
 * Makes sure that some element always has a visible focus, because a viewer with a remote must see which element
 * OK presses. When a screen or a dialog has opened, focuses its first element. When the focused element has been
 * removed, focuses the element that is now in its position. Waits until a screen is complete, because a screen to
 * which the viewer returns restores the focus itself.
 */
export function keepFocus(router: AnyRouter): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: { spot: Spot | undefined; path: string } | undefined
  const look = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      const { status, location } = router.state
      if (status === 'pending') look()
      else restore(last?.path === location.pathname ? last.spot : undefined)
    }, SETTLE_MS)
  }
  // Observes `disabled` too, because a button that skips an advertisement is disabled at first.
  const changes = { childList: true, subtree: true, attributeFilter: ['disabled'] }
  new MutationObserver(look).observe(document.body, changes)
  addEventListener('focusin', ({ target }) => {
    look()
    if (target instanceof Element && target.closest(OVERLAY) === null && !isLost(target))
      last = { spot: spotOf(target), path: router.state.location.pathname }
  })
  // While a dialog is fading in, its buttons count as invisible. So `look` runs again when the animation ends.
  addEventListener('animationend', look)
  addEventListener('transitionend', look)
  addEventListener('focusin', showTop)
  look()
}

/**
 * Restores the focus if it is lost. @param spot the last position of the focus on this screen, outside of dialogs
 */
function restore(spot: Spot | undefined): void {
  const here = document.activeElement
  const player = playerOnScreen()
  const panel = here?.matches('dialog') === true ? here : topDialog()
  if (panel !== null) {
    if (isLost(here)) focusFirst(panel)
  }
  // In the player, only buttons over the video get the focus, such as the skip button. Without such a button, left
  // and right seek, and OK pauses. During an advertisement, the player has no `[data-controls]`.
  else if (player?.querySelector('[data-controls], [data-over-picture]')) focusOverPicture(player)
  else if (isLost(here)) {
    const target = spot && elementNear(spot)
    target?.focus({ preventScroll: true })
    target?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (isLost(document.activeElement)) focusFirst()
  }
}

/**
 * Returns the element at a position. If it was removed or is disabled, returns the element that is now in its
 * place. Undefined if its part of the page is empty.
 */
function elementNear(spot: Spot): HTMLElement | undefined {
  const exact = elementAt(spot)
  if (exact !== undefined && isUsable(exact)) return exact
  const inPart = elementsIn(spot.part)
  return inPart.slice(spot.order).find(isUsable) ?? inPart.slice(0, spot.order).findLast(isUsable)
}

function isUsable(element: HTMLElement): boolean {
  return (
    element.tabIndex >= 0 &&
    !element.matches(':disabled') &&
    element.checkVisibility({ visibilityProperty: true })
  )
}

/**
 * Returns whether the focus is useless for a remote. Screens, headings and dialogs take the focus when they open,
 * but a press on them does nothing.
 */
function isLost(here: Element | null): boolean {
  return here === null || isPlace(here) || here.matches('h1')
}

/**
 * Scrolls to the top if the focused element fits into the first window height, so that the bar above it stays
 * visible.
 */
function showTop({ target }: FocusEvent): void {
  if (!(target instanceof Element) || scrollY === 0 || target.closest('[data-cinema], [role="dialog"]'))
    return
  if (target.getBoundingClientRect().bottom + scrollY > innerHeight) return
  // Runs after the scrolling that moves the focused element into view, and overrides it.
  requestAnimationFrame(() => scrollTo({ top: 0, behavior: scrolling() }))
}

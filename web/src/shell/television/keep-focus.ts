import type { AnyRouter } from '@tanstack/react-router'
import { elementAt, elementsIn, OVERLAY, type Spot, spotOf } from '../browser/focus-spot.ts'
import { focusFirst, isPlace, scrolling, topDialog } from '../spatial/arrows.ts'
import { focusOverPicture, playerOnScreen } from './player-remote.ts'

/** Time without changes after which a screen is complete, in milliseconds. Until then it may set the focus itself. */
const SETTLE_MS = 150

/**
 * Keeps the focus visible. Only the focus shows a viewer with a remote which element OK would press. When a screen or a
 * dialog has opened, focuses its first element. When the focused element is gone, focuses the element in its place.
 * While a screen opens, this waits, because a screen to which the viewer returns sets the focus to its former place.
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
  // A button that skips an advertisement is disabled at first.
  const changes = { childList: true, subtree: true, attributeFilter: ['disabled'] }
  new MutationObserver(look).observe(document.body, changes)
  addEventListener('focusin', ({ target }) => {
    look()
    if (target instanceof Element && target.closest(OVERLAY) === null && !isLost(target))
      last = { spot: spotOf(target), path: router.state.location.pathname }
  })
  // The buttons of a dialog that is fading in count as invisible until then.
  addEventListener('animationend', look)
  addEventListener('transitionend', look)
  addEventListener('focusin', showTop)
  look()
}

/** @param spot the last position of the focus on this screen, outside of dialogs */
function restore(spot: Spot | undefined): void {
  const here = document.activeElement
  const player = playerOnScreen()
  const panel = here?.matches('dialog') === true ? here : topDialog()
  if (panel !== null) {
    if (isLost(here)) focusFirst(panel)
  }
  // In the player, only buttons over the picture get the focus. Otherwise left and right seek, and OK pauses. During an
  // advertisement, there are no controls.
  else if (player?.querySelector('[data-controls], [data-over-picture]')) focusOverPicture(player)
  else if (isLost(here)) {
    const target = spot && elementNear(spot)
    target?.focus({ preventScroll: true })
    target?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (isLost(document.activeElement)) focusFirst()
  }
}

/**
 * Returns the element at a position, or if it is gone or disabled, the element that is now in its place; undefined if
 * its part of the page is empty.
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

/** Screens, headings and dialogs take the focus when they open, but do nothing when pressed. */
function isLost(here: Element | null): boolean {
  return here === null || isPlace(here) || here.matches('h1')
}

/** Scrolls to the top while the focused element fits in the first screen, so that the bar stays visible above it. */
function showTop({ target }: FocusEvent): void {
  if (!(target instanceof Element) || scrollY === 0 || target.closest('[data-cinema], [role="dialog"]'))
    return
  if (target.getBoundingClientRect().bottom + scrollY > innerHeight) return
  // Overrides the scrolling that brings the focused element into view.
  requestAnimationFrame(() => scrollTo({ top: 0, behavior: scrolling() }))
}

import type { AnyRouter } from '@tanstack/react-router'
import { focusFirst, scrolling } from '../spatial/arrows.ts'
import { focusOverPicture, playerOnScreen } from './player-remote.ts'

/** Time without changes after which a screen is complete, in milliseconds. Until then it may set the focus itself. */
const SETTLE_MS = 150

/**
 * Keeps the focus visible: when a screen has opened, or when the focused element is gone, focuses the first element of
 * the screen. Only the focus shows a viewer with a remote which element OK would press. While a screen opens, this waits,
 * because a screen to which the viewer returns sets the focus to its former place.
 */
export function keepFocus(router: AnyRouter): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    timer = setTimeout(() => (router.state.status === 'pending' ? look() : restore()), SETTLE_MS)
  }
  // A button that skips an advertisement is disabled at first.
  const changes = { childList: true, subtree: true, attributeFilter: ['disabled'] }
  new MutationObserver(look).observe(document.body, changes)
  addEventListener('focusin', look)
  addEventListener('focusin', showTop)
  look()
}

function restore(): void {
  const player = playerOnScreen()
  // In the player, only buttons over the picture get the focus. Otherwise left and right seek, and OK pauses. During an
  // advertisement, there are no controls.
  if (player?.querySelector('[data-controls], [data-over-picture]')) focusOverPicture(player)
  else if (isLost(document.activeElement)) focusFirst()
}

/** Headings and `main` take the focus after navigation, but do nothing when pressed. */
function isLost(here: Element | null): boolean {
  return here === null || here === document.body || here.matches('main, h1')
}

/** Scrolls to the top while the focused element fits in the first screen, so that the bar stays visible above it. */
function showTop({ target }: FocusEvent): void {
  if (!(target instanceof Element) || scrollY === 0 || target.closest('[data-cinema], [role="dialog"]'))
    return
  if (target.getBoundingClientRect().bottom + scrollY > innerHeight) return
  // Overrides the scrolling that brings the focused element into view.
  requestAnimationFrame(() => scrollTo({ top: 0, behavior: scrolling() }))
}

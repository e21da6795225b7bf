import { isVisible, moveFocus } from '../spatial/arrows.ts'
import type { Direction } from '../spatial/nearest.ts'
import type { RemoteKey } from './remote-keys.ts'
import { sendMeant } from './send-key.ts'

/** The player's controls. They are absent while an error is shown, or while the player controls another screen. */
const CONTROLS = '[data-controls]'
/**
 * Buttons over the picture that are visible without the controls, such as skip and next episode. Links to an
 * advertiser's site or to the next episode's page are excluded, because an accidental OK would leave the film.
 */
const OVER_PICTURE =
  '[data-over-picture] :is(a, button):not(:disabled, [data-over-picture] > a), button[data-over-picture]'
const SCRUBBER = `${CONTROLS} input[type="range"]`

/** Returns the player's element, if the page has a player. */
export function playerOnScreen(): HTMLElement | null {
  return document.querySelector('[data-cinema]')
}

/**
 * Handles an arrow key in the player. While no control has the focus, left and right seek, and up and down show
 * the controls. Otherwise the arrows move the focus between the controls. Returns false if the player itself must
 * handle the key.
 */
export function arrowInPlayer(player: HTMLElement, direction: Direction): boolean {
  const isAlong = direction === 'left' || direction === 'right'
  const control = focusedControl(player)
  if (control === null) {
    if (isAlong) return false
    focusFirstControl(player)
    return true
  }
  // On the scrubber, left and right seek. A rail handles left and right itself.
  if (isAlong && control.tabIndex >= 0 && control.closest(`${SCRUBBER}, [data-own-arrows]`) !== null)
    return false
  moveFocus(direction)
  return true
}

/**
 * Handles OK in the player. If the scrubber or no control has the focus, OK plays or pauses. Otherwise OK presses
 * the focused control. Returns false if the browser must handle the key.
 */
export function okInPlayer(player: HTMLElement): boolean {
  const control = focusedControl(player)
  // During an advertisement the player has no controls, but a paused advertisement must go on.
  if (control === null && player.querySelector(CONTROLS) === null && !isPaused(player)) return false
  if (control === null || control.matches(SCRUBBER)) sendMeant(' ')
  else if (control.matches('input[type="radio"]')) control.click()
  else return false
  return true
}

/** Handles the media and channel keys of a remote in the player. */
export function mediaKeyInPlayer(player: HTMLElement, key: Exclude<RemoteKey, 'back'>): void {
  switch (key) {
    case 'play':
      if (isPaused(player)) sendMeant(' ')
      return
    case 'pause':
      if (!isPaused(player)) sendMeant(' ')
      return
    case 'next':
    case 'previous':
      sendMeant(key === 'next' ? 'ArrowRight' : 'ArrowLeft', { shiftKey: true })
      return
    default:
      sendMeant(MEANING[key])
  }
}

function isPaused(player: HTMLElement): boolean {
  return player.querySelector('video')?.paused === true
}

/** The player's keyboard keys (V4-59) by the remote's keys. Channel up switches to the next channel. */
const MEANING = {
  playPause: ' ',
  stop: 'Escape',
  forward: 'ArrowRight',
  rewind: 'ArrowLeft',
  channelUp: 'PageDown',
  channelDown: 'PageUp',
} as const satisfies Partial<Record<RemoteKey, string>>

/** Focuses a button that has appeared over the picture, so that OK presses the button. */
export function focusOverPicture(player: HTMLElement): void {
  if (focusedControl(player) === null) player.querySelector<HTMLElement>(OVER_PICTURE)?.focus()
}

/** Returns the focused control if it is visible. The focus may still be on a control that has faded out. */
function focusedControl(player: HTMLElement): HTMLElement | null {
  const here = document.activeElement
  if (!(here instanceof HTMLElement) || here === player || !player.contains(here)) return null
  return isVisible(here) ? here : null
}

/** Focuses the first control. A focus event shows the controls. */
function focusFirstControl(player: HTMLElement): void {
  const first = player.querySelector<HTMLElement>(`${OVER_PICTURE}, ${CONTROLS} button`)
  // Focusing an element that already has the focus fires no event, and would not show the controls.
  if (first === document.activeElement) first?.blur()
  first?.focus()
}

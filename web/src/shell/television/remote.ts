import type { AnyRouter } from '@tanstack/react-router'
import { goBack } from '../../features/ground/links/walked.ts'
import { ROUTES } from '../../routes.ts'
import { directionOf, moveFocus, topDialog, usesArrows } from '../spatial/arrows.ts'
import { closeOpen } from '../spatial/close-open.ts'
import { leaveGroup } from './leave-group.ts'
import { arrowInPlayer, mediaKeyInPlayer, okInPlayer, playerOnScreen } from './player-remote.ts'
import { remoteKey } from './remote-keys.ts'
import { isMeant, sendMeant } from './send-key.ts'
import { leaveApp } from './television-set.ts'

/**
 * An advertisement in a player that the viewer has opened on this television. Excludes the casting receiver, which
 * a phone controls.
 */
const ADVERTISEMENT = '[data-cinema]:not([data-layout="receiver"]) [data-over-picture="ad"]'

/**
 * Handles the keys of a remote on every screen: back, the media keys, and in the player the arrows and OK. On other
 * screens, arrows work as on a keyboard (`walkByArrows`). Returns a function that ends the handling of keys.
 * @param isOfRemote returns whether a key press comes from the remote; on a television, every key press does
 */
export function followRemote(
  router: AnyRouter,
  isOfRemote: (press: KeyboardEvent) => boolean = () => true,
): () => void {
  // Listens in the capture phase, before the player uses the arrow keys to seek and to change the volume.
  const onKeyDown = (event: KeyboardEvent) => {
    if (isMeant(event) || !isOfRemote(event) || !(isHeldDown(event) || handles(router, event))) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('keydown', onKeyDown, { capture: true })
  return () => removeEventListener('keydown', onKeyDown, { capture: true })
}

/**
 * Returns whether a press only repeats a key that is held down and that must act once, such as OK or back. Arrows and the keys
 * to seek repeat.
 */
function isHeldDown(event: KeyboardEvent): boolean {
  const key = remoteKey(event)
  // Outside the player, LG's channel keys scroll as the page keys of a keyboard do.
  if ((key === 'channelUp' || key === 'channelDown') && playerOnScreen() === null) return false
  return event.repeat && (key === undefined ? event.key === 'Enter' : key !== 'forward' && key !== 'rewind')
}

/** Handles a key press. Returns false for a key that is not handled here. */
function handles(router: AnyRouter, event: KeyboardEvent): boolean {
  const key = remoteKey(event)
  if (key === 'back') return leave(router)
  const direction = directionOf(event)
  const player = playerOnScreen()
  if (player === null) return direction !== undefined && leaveGroup(direction)
  if (key !== undefined) {
    mediaKeyInPlayer(player, key)
    return true
  }
  // In a dialog over the player, arrow keys move the focus, as on other screens.
  if (topDialog() !== null) {
    if (direction === undefined) return false
    return leaveGroup(direction) || (!usesArrows(document.activeElement) && moveFocus(direction))
  }
  if (direction !== undefined) return arrowInPlayer(player, direction)
  return event.key === 'Enter' && okInPlayer(player)
}

/**
 * Handles the back key. Closes an open panel, dialog or menu. Without one, leaves the player or the screen, and on
 * home the app.
 */
function leave(router: AnyRouter): boolean {
  const isDialog = topDialog() !== null
  // During an advertisement the player ignores keys, including Escape (V4-33), and possibly shows no button. So the
  // back key leaves the screen.
  if (!isDialog && document.querySelector(ADVERTISEMENT) !== null) return leaveScreen(router)
  if (playerOnScreen() !== null || isDialog) {
    sendMeant('Escape', { target: document.activeElement ?? document.body })
    return true
  }
  return closeOpen(() => leaveScreen(router)) || leaveScreen(router)
}

/**
 * The address of a screen on which going back returns to the same screen, such as the sign-in of a private
 * service.
 */
let deadEnd: string | undefined

/**
 * Goes back to the previous screen. On home, and if there is no previous screen, leaves the app. Returns false
 * outside of an app.
 */
function leaveScreen(router: AnyRouter): boolean {
  const { pathname, href } = router.state.location
  if (pathname === ROUTES.home || href === deadEnd) return leaveApp()
  const stop = router.subscribe('onResolved', () => {
    stop()
    if (router.state.location.href !== href) return
    deadEnd = href
    leaveApp()
  })
  goBack(router)
  return true
}

import type { PointerEvent } from 'react'
import type { PlayerActor } from '../machine/player-machine.ts'

/**
 * Returns event handlers for an element. While a mouse is over the element, the controls stay visible (V4-34).
 * Touch does not count as hover.
 */
export function hoverOf(actor: PlayerActor) {
  const send = (type: 'hover' | 'unhover') => (event: PointerEvent) => {
    if (event.pointerType !== 'touch') actor.send({ type })
  }
  return { onPointerEnter: send('hover'), onPointerLeave: send('unhover') }
}

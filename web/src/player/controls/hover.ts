import type { PointerEvent } from 'react'
import type { PlayerActor } from '../machine/player-machine.ts'

/**
 * Returns the handlers of an element that keeps the controls visible on hover (V4-34). Touch is not treated
 * as hover.
 */
export function hoverOf(actor: PlayerActor) {
  const send = (type: 'hover' | 'unhover') => (event: PointerEvent) => {
    if (event.pointerType !== 'touch') actor.send({ type })
  }
  return { onPointerEnter: send('hover'), onPointerLeave: send('unhover') }
}

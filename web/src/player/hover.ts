import type { PointerEvent } from 'react'
import type { PlayerActor } from './player-machine.ts'

/** Handlers of whatever keeps the controls while a pointer rests on it (V4-34). A finger does not hover. */
export function hoverOf(actor: PlayerActor) {
  const send = (type: 'hover' | 'unhover') => (event: PointerEvent) => {
    if (event.pointerType !== 'touch') actor.send({ type })
  }
  return { onPointerEnter: send('hover'), onPointerLeave: send('unhover') }
}

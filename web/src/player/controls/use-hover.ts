import { type PointerEvent, useCallback, useRef } from 'react'
import type { PlayerActor } from '../machine/player-machine.ts'

/**
 * Returns the properties of an element. While a mouse is over the element, the controls stay visible (V4-34).
 * Touch does not count as hover.
 */
export function useHover(actor: PlayerActor) {
  const isOver = useRef(false)
  const tell = useCallback(
    (next: boolean) => {
      isOver.current = next
      actor.send({ type: next ? 'hover' : 'unhover' })
    },
    [actor],
  )
  // A browser does not say that the pointer has left an element that was removed, such as the controls during an
  // advertisement.
  const ref = useCallback(
    () => () => {
      if (isOver.current) tell(false)
    },
    [tell],
  )
  const on = (next: boolean) => (event: PointerEvent) => {
    if (event.pointerType !== 'touch') tell(next)
  }
  return { ref, onPointerEnter: on(true), onPointerLeave: on(false) }
}

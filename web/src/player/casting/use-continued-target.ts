import { useState } from 'react'
import type { PlayerTarget } from '../content/playable.ts'
import { continuedTarget, isSameContent, type LeftContent } from './cast-media.ts'

/**
 * Returns `target`, with the position at which the viewer left it on a screen as its start. The position applies until
 * the target is other content. A later visit to the same content does not begin there.
 */
export function useContinuedTarget(target: PlayerTarget): {
  continued: PlayerTarget
  /** Call when the viewer disconnects from the screen, with its position in seconds; undefined if it has none. */
  leave(position: number | undefined): void
} {
  const [left, setLeft] = useState<LeftContent>()
  if (left !== undefined && !isSameContent(left, target)) setLeft(undefined)
  return {
    continued: continuedTarget(target, left),
    leave: (position) => setLeft({ kind: target.kind, id: target.id, position }),
  }
}

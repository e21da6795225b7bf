import { PLAYER } from '@ondine/contract/constants'
import { type MouseEvent, type PointerEvent, useRef } from 'react'
import type { Fullscreen } from '../browser/use-fullscreen.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import { swipeGesture } from '../machine/suggestions-gesture.ts'
import styles from './player.module.css'

/**
 * Fractions of the picture's width that decide the effect of a double tap. Left of `back` it seeks back, right of
 * `forward` it seeks forward, and between them it toggles full screen.
 */
const SIDES = { back: 0.38, forward: 0.62 }

/**
 * Handles presses on the picture (V4-36). A click plays or pauses, and a double click toggles full screen. A tap
 * shows or hides the controls, a double tap seeks by 10 s, and a swipe opens the suggestions (V4-35).
 */
export function PictureSurface({
  actor,
  fullscreen,
  panelOpen,
  closePanel,
}: {
  actor: PlayerActor
  fullscreen: Fullscreen
  panelOpen: boolean
  closePanel: () => void
}) {
  const down = useRef<{ x: number; y: number; touch: boolean; wasHidden: boolean } | null>(null)

  const onPointerDown = (event: PointerEvent) => {
    down.current = {
      x: event.clientX,
      y: event.clientY,
      touch: event.pointerType === 'touch',
      wasHidden: actor.getSnapshot().matches({ controls: 'hidden' }),
    }
  }
  const onPointerUp = (event: PointerEvent) => {
    const { current } = down
    if (current?.touch !== true) return
    const gesture = swipeGesture({
      dx: event.clientX - current.x,
      dy: event.clientY - current.y,
      windowWidth: window.innerWidth,
      fullscreen: fullscreen.active,
    })
    if (gesture !== undefined) actor.send({ type: `suggestions.${gesture}` })
  }
  const onClick = (event: MouseEvent) => {
    const { current } = down
    if (panelOpen) closePanel()
    else if (actor.getSnapshot().matches({ suggestions: 'open' })) actor.send({ type: 'suggestions.close' })
    else if (current?.touch === true) tap(event, current.wasHidden)
    else {
      // On a double click, the second click undoes the effect of the first click.
      if (event.detail <= 2) actor.send({ type: 'togglePlay' })
      if (event.detail === 2) fullscreen.toggle()
    }
  }
  const tap = (event: MouseEvent, wasHidden: boolean) => {
    if (event.detail < 2) {
      actor.send({ type: wasHidden ? 'activity' : 'rest' })
      return
    }
    const at = event.clientX / window.innerWidth
    if (at < SIDES.back) actor.send({ type: 'seekBy', seconds: -PLAYER.skipSeconds })
    else if (at > SIDES.forward) actor.send({ type: 'seekBy', seconds: PLAYER.skipSeconds })
    else fullscreen.toggle()
  }

  return (
    <div
      className={styles.surface}
      role="presentation"
      onPointerDown={onPointerDown}
      onPointerUp={onPointerUp}
      onClick={onClick}
    />
  )
}

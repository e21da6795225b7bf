import { useEffect, useRef } from 'react'
import { modal } from '../../modals/modal.ts'
import type { Fullscreen } from '../browser/use-fullscreen.ts'
import { markBeside, type Segment } from '../content/segments.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import type { Zapping } from '../machine/use-zapping.ts'
import { type KeyCommand, keyCommand, keySituation } from './keys.ts'

/** The receivers of commands other than the player's state machine. */
interface KeyTargets {
  fullscreen: Fullscreen
  zap: Zapping['step']
  marks: readonly Segment[]
  panelOpen: boolean
  closePanel(): void
  toggleShortcuts(): void
  record(): void
}

/**
 * Handles the keys of V4-59 wherever the focus is. If the focused control uses a key itself, the key stays with
 * the control. While a modal is open, all keys belong to the modal.
 */
export function useKeys(actor: PlayerActor, targets: KeyTargets): void {
  const latest = useRef(targets)
  useEffect(() => {
    latest.current = targets
  })
  useEffect(() => {
    let isForModal = false
    // Runs in the capture phase: later, Escape may have closed the modal already.
    const onKeyDownFirst = () => {
      isForModal = modal.current() !== null
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (isForModal) return
      actor.send({ type: 'activity' })
      const { context, value } = actor.getSnapshot()
      const situation = { marks: latest.current.marks.length > 0, paused: value.playback === 'paused' }
      const command = keyCommand(event, keySituation(context, situation))
      if (command === undefined || event.defaultPrevented || belongsToControl(event)) return
      // While casting, the buttons and sliders for the other screen handle keys. Only the command to close applies
      // to this player.
      if (value.playback === 'casting' && command.type !== 'close') return
      event.preventDefault()
      obey(command, actor, latest.current)
    }
    window.addEventListener('keydown', onKeyDownFirst, { capture: true })
    window.addEventListener('keydown', onKeyDown)
    return () => {
      window.removeEventListener('keydown', onKeyDownFirst, { capture: true })
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [actor])
}

/** Controls in which the viewer types. All other types of `input` are text fields. */
const TEXT_FIELDS =
  'textarea, input:not([type="radio"], [type="checkbox"], [type="range"], [type="button"], [type="submit"])'

/**
 * Returns whether a control uses the key: space presses a focused button, arrows move within lists, and a text field
 * takes all keys.
 */
function belongsToControl({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || key === 'Escape') return false
  if (target.matches(TEXT_FIELDS)) return true
  if (key === ' ') return target.closest('button, a, input[type="radio"]') !== null
  return key.startsWith('Arrow') && target.closest('input[type="radio"], [data-own-arrows]') !== null
}

function obey(command: KeyCommand, actor: PlayerActor, targets: KeyTargets): void {
  switch (command.type) {
    case 'toggleFullscreen':
      targets.fullscreen.toggle()
      return
    case 'zap':
      targets.zap(command.step)
      return
    case 'record':
      targets.record()
      return
    case 'shortcuts':
      targets.toggleShortcuts()
      return
    case 'close':
      closeInnermost(actor, targets)
      return
    case 'toMark':
      goToMark(actor, targets.marks, command.step)
      return
    default:
      actor.send(command)
  }
}

/** Seeks to the next or previous mark of the seek bar. Ignores a mark outside the seekable range. */
function goToMark(actor: PlayerActor, marks: readonly Segment[], step: 1 | -1): void {
  const { position, range } = actor.getSnapshot().context.reading
  const start = markBeside(marks, position, step)
  if (start !== undefined && start >= range.start && start <= range.end)
    actor.send({ type: 'seekTo', position: start })
}

/**
 * Handles Escape: closes an open panel or the suggestions, or else the player. In full screen, the browser handles
 * Escape.
 */
function closeInnermost(actor: PlayerActor, { panelOpen, closePanel }: KeyTargets): void {
  if (panelOpen) closePanel()
  else if (actor.getSnapshot().matches({ suggestions: 'open' })) actor.send({ type: 'suggestions.close' })
  else actor.send({ type: 'close' })
}

import { useSyncExternalStore } from 'react'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { type CastTarget, type TargetState, UNKNOWN_STATE } from './cast-target.ts'
import { forgetCast, keepCast, keptCast } from './kept-cast.ts'
import { ownScreen } from './own-screens.ts'

/** The screen to which this browser is connected, with its state. */
export interface CastSession {
  target: CastTarget
  state: TargetState
}

const listeners = new Set<() => void>()
let current: CastSession | null = null
let unlisten: (() => void) | undefined
let isRestored = false

/**
 * Connects this browser to a screen. Nothing plays there yet. If the browser is connected to that screen already, the
 * player hands its content over again, because the content before may have ended there.
 */
export function connectCast(target: CastTarget): void {
  // A target that is another object is a new connection for the player.
  const next = current?.target.id === target.id ? { ...current.target } : target
  end()
  keepCast(target.id)
  begin(next)
  tell(current)
}

/** Stops the screen, and disconnects from it. */
export async function disconnectCast(): Promise<void> {
  const before = current
  end()
  // The screen stops before playback continues here, so that it leaves room in the limit of sessions.
  try {
    if (before?.state.isAvailable === true) await before.target.control({ type: 'stop' })
  } finally {
    tell(null)
  }
}

/**
 * Disconnects from a screen after a failed hand-over. The screen goes on with what it plays. If the answer was lost, the
 * screen stops, because it may have begun.
 */
export async function giveUpCast(refusal: unknown): Promise<void> {
  if (refusal instanceof ApiError && refusal.code === NO_ANSWER) {
    await disconnectCast()
    return
  }
  end()
  tell(null)
}

/** Returns the screen to which this browser is connected; on a new page, the one of the page before. */
export function currentCast(): CastSession | null {
  if (!isRestored) {
    isRestored = true
    const id = keptCast()
    if (current === null && id !== undefined) begin(ownScreen(id))
  }
  return current
}

/** Returns {@link currentCast}, and renders again when it changes. Null on the server. */
export function useCastSession(): CastSession | null {
  return useSyncExternalStore(follow, currentCast, () => null)
}

/** Calls `changed` at each change of {@link currentCast}. */
function follow(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

function begin(target: CastTarget): void {
  current = { target, state: UNKNOWN_STATE }
  unlisten = target.listen((state) => {
    if (state !== null) tell({ target, state })
    else {
      end()
      tell(null)
    }
  })
}

function end(): void {
  forgetCast()
  unlisten?.()
  unlisten = undefined
}

function tell(next: CastSession | null): void {
  current = next
  for (const changed of listeners) changed()
}

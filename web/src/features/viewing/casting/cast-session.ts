import { useEffect, useSyncExternalStore } from 'react'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { useSession } from '../../ground/session/session.ts'
import { type CastTarget, type TargetState, UNKNOWN_STATE } from './cast-target.ts'
import { forgetCast, keepCast, keptCast } from './kept-cast.ts'
import { ownScreen } from './own-screens.ts'

/** The screen to which this browser is connected, with its state. */
export interface CastSession {
  target: CastTarget
  state: TargetState
  /** The profile that has connected. */
  profileId: number
}

const listeners = new Set<() => void>()
let current: CastSession | null = null
let unlisten: (() => void) | undefined
let isRestored = false

/**
 * Connects this browser to a screen. Nothing plays there yet. If the browser is connected to that screen already, the
 * player hands its content over again, because the content before may have ended there.
 */
export function connectCast(target: CastTarget, profileId: number): void {
  // A target that is another object is a new connection for the player.
  const next = current?.target.id === target.id ? { ...current.target } : target
  end()
  keepCast(target.id, profileId)
  begin(next, profileId)
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

/**
 * Disconnects from a screen if another profile has connected it. The screen goes on with what it plays, because the other
 * profile may still watch there.
 */
export function leaveCastOfOthers(profileId: number | undefined): void {
  if (current === null || current.profileId === profileId) return
  end()
  tell(null)
}

/** Returns the screen to which a profile has connected this browser; on a new page, the one of the page before. */
export function currentCast(profileId: number | undefined): CastSession | null {
  if (!isRestored && profileId !== undefined) {
    isRestored = true
    const id = keptCast(profileId)
    if (current === null && id !== undefined) begin(ownScreen(id), profileId)
  }
  return current?.profileId === profileId ? current : null
}

/**
 * Returns {@link currentCast} of the active profile, and renders again when it changes. Null on the server. After a
 * change of the profile, the screen of the profile before is left.
 */
export function useCastSession(): CastSession | null {
  const { profile } = useSession()
  const profileId = profile?.id
  useEffect(() => leaveCastOfOthers(profileId), [profileId])
  return useSyncExternalStore(
    follow,
    () => currentCast(profileId),
    () => null,
  )
}

/** Calls `changed` at each change of {@link currentCast}. */
function follow(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

function begin(target: CastTarget, profileId: number): void {
  current = { target, state: UNKNOWN_STATE, profileId }
  unlisten = target.listen((state) => {
    if (state !== null) tell({ target, state, profileId })
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

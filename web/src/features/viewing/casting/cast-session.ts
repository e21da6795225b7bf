import { useEffect, useSyncExternalStore } from 'react'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { serviceNow } from '../../ground/clock/browser-clock.ts'
import { useSession } from '../../ground/session/session.ts'
import { type CastTarget, type TargetState, UNKNOWN_STATE } from './cast-target.ts'
import { forgetCast, keepCast, keptCast } from './kept-cast.ts'
import { ownScreen } from './own-screens.ts'

/** The screen to which this browser is connected, with its state. */
export interface CastSession {
  target: CastTarget
  state: TargetState
  /** Id of the profile that has connected this browser to the screen. */
  profileId: number
  /** Whether this browser has joined what the screen played already. The player then does not replace the content. */
  isJoined: boolean
}

/** A screen that this browser has stopped. */
export interface StoppedScreen {
  /** Id of the target. */
  id: string
  /** When the service accepted the command, in milliseconds since the Unix epoch, by the service's clock. */
  at: number
}

const listeners = new Set<() => void>()
let current: CastSession | null = null
let stopped: StoppedScreen | undefined
let unlisten: (() => void) | undefined
let isRestored = false

/**
 * Connects this browser to a screen. The screen does not play yet. If the browser is already connected to that
 * screen, the player hands its content over again, because the earlier content may have ended there.
 */
export function connectCast(target: CastTarget, profileId: number): void {
  // The player treats a new object as a new connection.
  const next = current?.target.id === target.id ? { ...current.target } : target
  end()
  keepCast(target.id, profileId)
  begin(next, profileId)
  tell(current)
}

/** Connects this browser to a screen that already plays. The screen goes on with its content. */
export function joinCast(target: CastTarget, profileId: number): void {
  end()
  keepCast(target.id, profileId)
  begin(target, profileId, true)
  tell(current)
}

/** Stops the screen, and disconnects from it. */
export async function disconnectCast(): Promise<void> {
  const before = current
  end()
  // Stops the screen before playback continues here, because both playback sessions count towards the limit.
  try {
    if (before?.state.isAvailable === true) {
      await before.target.control({ type: 'stop' })
      stopped = { id: before.target.id, at: serviceNow() }
    }
  } finally {
    tell(null)
  }
}

/**
 * Disconnects from a screen after a failed hand-over. The screen continues with its content. If the service's
 * answer was lost, stops the screen, because the hand-over may have succeeded.
 */
export async function giveUpCast(refusal: unknown): Promise<void> {
  if (refusal instanceof ApiError && refusal.code === NO_ANSWER) {
    await disconnectCast()
    return
  }
  leaveCast()
}

/**
 * Disconnects from a screen to which another profile has connected. The screen continues, because the other
 * profile may still be watching.
 */
export function leaveCastOfOthers(profileId: number | undefined): void {
  if (current !== null && current.profileId !== profileId) leaveCast()
}

/** Disconnects from a screen, which goes on. Other devices continue to control it. */
export function leaveCast(): void {
  end()
  tell(null)
}

/**
 * Returns the screen to which a profile has connected this browser. The connection survives a change of the page.
 */
export function currentCast(profileId: number | undefined): CastSession | null {
  if (!isRestored && profileId !== undefined) {
    isRestored = true
    const id = keptCast(profileId)
    if (current === null && id !== undefined) begin(ownScreen(id), profileId)
  }
  return current?.profileId === profileId ? current : null
}

/**
 * Returns {@link currentCast} of the active profile. Renders again at each change. Null on the server. After a
 * change of the profile, disconnects from the screen of the previous profile.
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

/**
 * Returns the screen that this browser has stopped last; undefined if it has stopped none. The screen reports its new
 * state a moment later.
 */
export function useStoppedScreen(): StoppedScreen | undefined {
  return useSyncExternalStore(
    follow,
    () => stopped,
    () => undefined,
  )
}

/** Calls `changed` at each change of {@link currentCast}, and after a stop. */
function follow(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

function begin(target: CastTarget, profileId: number, isJoined = false): void {
  current = { target, state: UNKNOWN_STATE, profileId, isJoined }
  unlisten = target.listen((state) => {
    if (state === null) leaveCast()
    else tell({ target, state, profileId, isJoined })
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

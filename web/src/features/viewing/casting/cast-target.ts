import type { CastCommand, CastMedia, ScreenState } from '@ondine/contract/casting'

/**
 * A screen on which content plays instead of here (spec 54). Ondine's own screens and Google Cast implement it.
 */
export interface CastTarget {
  /** Identifies the target among all targets of this page. */
  readonly id: string
  /**
   * Plays content on the screen.
   *
   * @param session the playback session of this device, if it plays. It ends, so that the cast counts once
   * @throws ApiError when the service refuses; DOMException `AbortError` when the viewer enters no parental code
   */
  load(media: CastMedia, session: string | null): Promise<void>
  /** @throws ApiError when the service refuses */
  control(command: CastCommand): Promise<void>
  /**
   * Reports the state of the screen, and each change of it; null once the account has no such screen.
   *
   * @returns a function that ends the reports
   */
  listen(listener: (state: TargetState | null) => void): () => void
}

/** The state of a target (V4-51). */
export interface TargetState {
  /** Name of the device; empty while it is unknown. */
  device: string
  /** Whether the device can be reached now. */
  isAvailable: boolean
  /** State of the playback as the screen last reported it; null if nothing plays. */
  media: ScreenState | null
}

/** The state of a target that has reported nothing yet. */
export const UNKNOWN_STATE: TargetState = { device: '', isAvailable: true, media: null }

/** Returns the status of a target that a phone shows. */
export function targetStatus({ isAvailable, media }: TargetState): 'lost' | 'failed' | 'blocked' | 'playsOn' {
  if (!isAvailable) return 'lost'
  if (media?.playback !== 'failed') return 'playsOn'
  return media.isBlocked === true ? 'blocked' : 'failed'
}

/** Returns whether commands can change what plays. After the end or a failure, a screen waits for other content. */
export function isControllable({ playback }: Pick<ScreenState, 'playback'>): boolean {
  return playback !== 'ended' && playback !== 'failed'
}

const MS = 1000

/**
 * Returns where playback on this device continues after a screen, in seconds. Content that has ended starts again
 * (V4-52).
 */
export function positionToContinue(media: Parameters<typeof castPosition>[0], now: number): number {
  return media.playback === 'ended' ? 0 : castPosition(media, now)
}

/**
 * Returns the position of a screen at `now`, in seconds. The screen reports changes, and between two reports its
 * position advances with the clock (V4-51).
 *
 * @param now milliseconds since the Unix epoch, by the service's clock
 */
export function castPosition(
  {
    playback,
    position,
    duration,
    isLive,
    at,
  }: Pick<ScreenState, 'playback' | 'position' | 'duration' | 'isLive' | 'at'>,
  now: number,
): number {
  if (playback !== 'playing') return position
  const advanced = position + Math.max(0, now - at) / MS
  return isLive || duration === 0 ? advanced : Math.min(duration, advanced)
}

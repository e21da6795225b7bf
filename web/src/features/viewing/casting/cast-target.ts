import type { CastCommand, CastMedia, ScreenState } from '@ondine/contract/casting'

/**
 * A screen that plays content instead of this device (spec 54). Ondine's own screens and Google Cast implement
 * this interface.
 */
export interface CastTarget {
  /** Identifies the target among all targets of this page. */
  readonly id: string
  /**
   * Plays content on the screen.
   *
   * @param session the playback session of this device, if any. The service ends it, so that only the cast counts
   * @throws ApiError when the service refuses; DOMException `AbortError` when the viewer enters no parental code
   */
  load(media: CastMedia, session: string | null): Promise<void>
  /** @throws ApiError when the service refuses */
  control(command: CastCommand): Promise<void>
  /**
   * Reports the state of the screen now and at each change. Reports null if the account no longer has the screen.
   *
   * @returns a function that ends the reports
   */
  listen(listener: (state: TargetState | null) => void): () => void
}

/** The state of a target (V4-51). */
export interface TargetState {
  /** Name of the device; empty before the first report. */
  device: string
  /** Whether the device can be reached now. */
  isAvailable: boolean
  /** State of the playback in the screen's last report; null if the screen plays nothing. */
  media: ScreenState | null
}

/** The state of a target before its first report. */
export const UNKNOWN_STATE: TargetState = { device: '', isAvailable: true, media: null }

/** Returns the status of a target, as a phone shows it. */
export function targetStatus({ isAvailable, media }: TargetState): 'lost' | 'failed' | 'blocked' | 'playsOn' {
  if (!isAvailable) return 'lost'
  if (media?.playback !== 'failed') return 'playsOn'
  return media.isBlocked === true ? 'blocked' : 'failed'
}

/**
 * Returns whether commands can change the playback. After the end or a failure, a screen waits for new content.
 */
export function isControllable({ playback }: Pick<ScreenState, 'playback'>): boolean {
  return playback !== 'ended' && playback !== 'failed'
}

const MS = 1000

/**
 * Returns the position at which this device continues the playback of a screen, in seconds; undefined if the screen
 * has not reported a position yet. Ended content starts again at 0 (V4-52).
 */
export function positionToContinue(
  media: Parameters<typeof castPosition>[0],
  now: number,
): number | undefined {
  return media.playback === 'ended' ? 0 : castPosition(media, now)
}

/**
 * Returns the position of a screen at `now`, in seconds; undefined if the screen has not reported a position yet.
 * Between two reports of the screen, the position advances with the clock (V4-51).
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
): number | undefined {
  if (position === undefined || playback !== 'playing') return position
  const advanced = position + Math.max(0, now - at) / MS
  return isLive || duration === 0 ? advanced : Math.min(duration, advanced)
}

/**
 * Returns the played share of the content of a screen, from 0 to 1: of the programme on a channel. Undefined while it is
 * unknown.
 *
 * @param position position of the screen, in seconds
 */
export function castShare(
  { duration, isLive, programme }: Pick<ScreenState, 'duration' | 'isLive' | 'programme'>,
  position: number,
): number | undefined {
  if (isLive && programme === undefined) return undefined
  const { start, end } = programme ?? { start: 0, end: duration }
  return end > start ? Math.min(1, Math.max(0, (position - start) / (end - start))) : undefined
}

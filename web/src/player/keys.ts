import { PLAYER } from '@ondine/contract/constants'

/** What a key asks the player to do. */
export type KeyCommand =
  | { type: 'togglePlay' }
  /** Seconds to move by. */
  | { type: 'seekBy'; seconds: number }
  /** To the next chapter or film of a block, or the one before. */
  | { type: 'toMark'; step: 1 | -1 }
  /** Percent to move by. */
  | { type: 'volumeBy'; percent: number }
  | { type: 'toggleMute' }
  | { type: 'toggleFullscreen' }
  | { type: 'shortcuts' }
  | { type: 'close' }
  /** Channels to move by. */
  | { type: 'zap'; step: 1 | -1 }

/** What decides whether a key counts. */
export interface KeySituation {
  /** Whether a channel or a live event plays. */
  live: boolean
  /** Whether one may pause and go back (decision 17). */
  timeshift: boolean
  channel: boolean
  /** Whether an advertisement runs, in which keys do nothing (V4-33). */
  ad: boolean
}

/** A key press, as far as it matters here. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * The command of a key (V4-59): space plays and pauses, left and right seek by 10 s, up and down set the volume, m
 * mutes, f is full screen, ? lists the keys, Escape closes. Live without timeshift neither seeks nor pauses (decision 17). On channels
 * page up and page down zap. With shift, left and right go from mark to mark. Undefined for every other key.
 */
export function keyCommand(
  press: KeyPress,
  { live, timeshift, channel, ad }: KeySituation,
): KeyCommand | undefined {
  // With a modifier a key belongs to the browser or to assistive technology.
  if (ad || press.ctrlKey || press.metaKey || press.altKey) return undefined
  const fixed = live && !timeshift
  if (press.shiftKey && (press.key === 'ArrowLeft' || press.key === 'ArrowRight'))
    return fixed ? undefined : { type: 'toMark', step: press.key === 'ArrowLeft' ? -1 : 1 }
  switch (press.key) {
    case ' ':
      return fixed ? undefined : { type: 'togglePlay' }
    case 'ArrowLeft':
      return fixed ? undefined : { type: 'seekBy', seconds: -PLAYER.skipSeconds }
    case 'ArrowRight':
      return fixed ? undefined : { type: 'seekBy', seconds: PLAYER.skipSeconds }
    case 'ArrowUp':
      return { type: 'volumeBy', percent: PLAYER.volumeStep }
    case 'ArrowDown':
      return { type: 'volumeBy', percent: -PLAYER.volumeStep }
    case 'm':
    case 'M':
      return { type: 'toggleMute' }
    case 'f':
    case 'F':
      return { type: 'toggleFullscreen' }
    case '?':
      return { type: 'shortcuts' }
    case 'Escape':
      return { type: 'close' }
    case 'PageUp':
      return channel ? { type: 'zap', step: -1 } : undefined
    case 'PageDown':
      return channel ? { type: 'zap', step: 1 } : undefined
    default:
      return undefined
  }
}

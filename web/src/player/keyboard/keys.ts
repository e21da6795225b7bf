import { PLAYER } from '@ondine/contract/constants'
import type { Reading } from '../engine/engine.ts'
import { canMove, type PlayerContext, recordableProgramme } from '../machine/player-context.ts'

/** A command that a key gives to the player. */
export type KeyCommand =
  | { type: 'togglePlay' }
  /** Seeks by a number of seconds. */
  | { type: 'seekBy'; seconds: number }
  /** Seeks to the next or previous chapter, or film of a block. */
  | { type: 'toMark'; step: 1 | -1 }
  /** Changes the volume by a number of percentage points. */
  | { type: 'volumeBy'; percent: number }
  | { type: 'toggleMute' }
  | { type: 'toggleFullscreen' }
  | { type: 'shortcuts' }
  | { type: 'close' }
  /** Switches to the next or previous channel. */
  | { type: 'zap'; step: 1 | -1 }
  /** Records the programme, or removes its recording. */
  | { type: 'record' }

/** The state of the player that decides which keys have an effect. */
export interface KeySituation {
  /** Whether the stream is live. False for a live event, whose stream is a film. */
  live: boolean
  /** Whether pausing and seeking are possible (spec 17). */
  timeshift: boolean
  channel: boolean
  /**
   * Whether the content has marks to seek to: chapters of a film, or films of a block (a programme with several
   * films).
   */
  marks: boolean
  /** Whether the programme can be recorded. */
  recordable: boolean
  /** Whether an advertisement is in the picture. Keys are then disabled (V4-33), except to continue one that is paused. */
  ad: boolean
  /** Whether playback is paused. */
  paused: boolean
}

/**
 * Returns the state of the player that decides which keys have an effect.
 *
 * @param marks whether the content has marks to seek to
 * @param paused whether playback is paused
 */
export function keySituation(
  {
    playable,
    target,
    liveEpgProgram,
    reading,
  }: Pick<PlayerContext, 'playable' | 'target' | 'liveEpgProgram'> & { reading: Pick<Reading, 'ad'> },
  { marks, paused }: Pick<KeySituation, 'marks' | 'paused'>,
): KeySituation {
  return {
    live: playable?.live ?? target.kind === 'channel',
    timeshift: playable?.timeshift === true && canMove({ playable, liveEpgProgram, reading }),
    channel: target.kind === 'channel',
    marks,
    recordable: recordableProgramme({ playable, liveEpgProgram }) !== undefined,
    ad: reading.ad !== undefined,
    paused,
  }
}

/** The fields of a key press that decide its command. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>

/** A row in the list of keys: related keys with their commands. */
export interface Shortcut {
  /** Name of the row's text among the player's texts. */
  text:
    | 'playOrPause'
    | 'back'
    | 'forward'
    | 'marks'
    | 'volume'
    | 'mute'
    | 'fullscreen'
    | 'zap'
    | 'record'
    | 'shortcuts'
    | 'close'
  /** Commands by `KeyboardEvent.key`. Letters are in lower case. */
  commands: Readonly<Record<string, KeyCommand>>
  /** Whether the keys have an effect only with the shift key. */
  shift?: true
  /** Whether automatic repeats of a key that is held down are ignored. */
  once?: true
  /** Returns whether the keys have an effect; omitted if they always have an effect. */
  counts?: (situation: KeySituation) => boolean
}

/** In live content without timeshift, the viewer can neither seek nor pause (spec 17). */
const isMovable = ({ live, timeshift }: KeySituation) => !live || timeshift

/** All keys of the player (V4-59), in the order of the list that `?` opens. */
const SHORTCUTS: readonly Shortcut[] = [
  { text: 'playOrPause', commands: { ' ': { type: 'togglePlay' } }, counts: isMovable, once: true },
  {
    text: 'back',
    commands: { ArrowLeft: { type: 'seekBy', seconds: -PLAYER.skipSeconds } },
    counts: isMovable,
  },
  {
    text: 'forward',
    commands: { ArrowRight: { type: 'seekBy', seconds: PLAYER.skipSeconds } },
    counts: isMovable,
  },
  {
    text: 'marks',
    commands: { ArrowLeft: { type: 'toMark', step: -1 }, ArrowRight: { type: 'toMark', step: 1 } },
    shift: true,
    counts: (situation) => situation.marks && isMovable(situation),
  },
  {
    text: 'volume',
    commands: {
      ArrowUp: { type: 'volumeBy', percent: PLAYER.volumeStep },
      ArrowDown: { type: 'volumeBy', percent: -PLAYER.volumeStep },
    },
  },
  { text: 'mute', commands: { m: { type: 'toggleMute' } }, once: true },
  { text: 'fullscreen', commands: { f: { type: 'toggleFullscreen' } }, once: true },
  {
    text: 'zap',
    commands: { PageUp: { type: 'zap', step: -1 }, PageDown: { type: 'zap', step: 1 } },
    counts: ({ channel }) => channel,
  },
  {
    text: 'record',
    commands: { r: { type: 'record' } },
    counts: ({ recordable }) => recordable,
    once: true,
  },
  { text: 'shortcuts', commands: { '?': { type: 'shortcuts' } } },
  { text: 'close', commands: { Escape: { type: 'close' } } },
]

/** Returns the keys that have an effect in a situation. */
export function shortcutsIn(situation: KeySituation): Shortcut[] {
  return SHORTCUTS.filter(({ counts }) => counts?.(situation) ?? true)
}

/** Returns the command of a key (V4-59); undefined for a key without effect. */
export function keyCommand(press: KeyPress, situation: KeySituation): KeyCommand | undefined {
  // With a modifier a key belongs to the browser or to assistive technology.
  if (press.ctrlKey || press.metaKey || press.altKey) return undefined
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key
  // The browser may block autoplay, and the system may pause the video. Without this key, the advertisement would never end.
  if (situation.ad)
    return situation.paused && key === ' ' && !press.repeat ? { type: 'togglePlay' } : undefined
  // Prefers the row that matches the shift key. Without such a row, the shift key does not matter, because some keys,
  // such as `?`, are typed with shift.
  const withKey = SHORTCUTS.filter(({ commands }) => Object.hasOwn(commands, key))
  const shortcut = withKey.find(({ shift = false }) => shift === press.shiftKey) ?? withKey[0]
  if (press.repeat && shortcut?.once === true) return undefined
  return shortcut?.counts?.(situation) === false ? undefined : shortcut?.commands[key]
}

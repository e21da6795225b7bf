import { PLAYER } from '@ondine/contract/constants'
import type { PlayerContext } from './player-context.ts'

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
  /** Whether what plays has chapters, or films of a block, to go to. */
  marks: boolean
  /** Whether an advertisement runs, in which keys do nothing (V4-33). */
  ad: boolean
}

/** What decides whether a key counts, as the player stands. `marks` says whether there are any to go to. */
export function keySituation(
  { playable, target }: Pick<PlayerContext, 'playable' | 'target'>,
  marks: boolean,
): KeySituation {
  return {
    live: playable?.live ?? target.kind === 'channel',
    timeshift: playable?.timeshift ?? false,
    channel: target.kind === 'channel',
    marks,
    ad: false,
  }
}

/** A key press, as far as it matters here. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** One line of the list of keys: keys that belong together, and what each of them does. */
export interface Shortcut {
  /** The text of the line, by its name in the player's words. */
  text:
    | 'playOrPause'
    | 'back'
    | 'forward'
    | 'marks'
    | 'volume'
    | 'mute'
    | 'fullscreen'
    | 'zap'
    | 'shortcuts'
    | 'close'
  /** Commands by `KeyboardEvent.key`; letters are small. */
  commands: Readonly<Record<string, KeyCommand>>
  /** Whether they count with the shift key only. */
  shift?: true
  /** Where they count; everywhere when left out. */
  counts?: (situation: KeySituation) => boolean
}

/** Live without timeshift neither seeks nor pauses (decision 17). */
const isMovable = ({ live, timeshift }: KeySituation) => !live || timeshift

/** All keys of the player (V4-59), in the order of the list that `?` opens. */
const SHORTCUTS: readonly Shortcut[] = [
  { text: 'playOrPause', commands: { ' ': { type: 'togglePlay' } }, counts: isMovable },
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
  { text: 'mute', commands: { m: { type: 'toggleMute' } } },
  { text: 'fullscreen', commands: { f: { type: 'toggleFullscreen' } } },
  {
    text: 'zap',
    commands: { PageUp: { type: 'zap', step: -1 }, PageDown: { type: 'zap', step: 1 } },
    counts: ({ channel }) => channel,
  },
  { text: 'shortcuts', commands: { '?': { type: 'shortcuts' } } },
  { text: 'close', commands: { Escape: { type: 'close' } } },
]

/** The keys that do something to what plays. */
export function shortcutsIn(situation: KeySituation): Shortcut[] {
  return SHORTCUTS.filter(({ counts }) => counts?.(situation) ?? true)
}

/** The command of a key (V4-59); undefined for every key that does nothing. */
export function keyCommand(press: KeyPress, situation: KeySituation): KeyCommand | undefined {
  // With a modifier a key belongs to the browser or to assistive technology.
  if (situation.ad || press.ctrlKey || press.metaKey || press.altKey) return undefined
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key
  // Shift also types some keys, such as ?: it leads to another command only where the table has one.
  const withKey = SHORTCUTS.filter(({ commands }) => Object.hasOwn(commands, key))
  const shortcut = withKey.find(({ shift = false }) => shift === press.shiftKey) ?? withKey[0]
  return shortcut?.counts?.(situation) === false ? undefined : shortcut?.commands[key]
}

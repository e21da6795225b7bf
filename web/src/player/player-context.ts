import type { Configuration } from '@ondine/contract/configuration'
import type { Asset, Item, Programme } from '@ondine/contract/entities'
import type { Drm } from '@ondine/contract/playback'
import type { EndTarget } from './end-target.ts'
import {
  type Engine,
  type EngineEvent,
  NO_TRACKS,
  NOTHING_READ,
  type Reading,
  type Tracks,
} from './engine.ts'
import type { Opening } from './opening.ts'
import type { Languages, LiveProgramme, Playable, PlayerTarget } from './playable.ts'
import type { PlayerError } from './player-error.ts'
import type { Reporter } from './reporter.ts'
import { NO_SEGMENTS, type Segments } from './segments.ts'

/** What the machine works with; everything that touches the world comes from here. */
export interface PlayerParts {
  engine: Engine
  open(target: PlayerTarget): Promise<Opening>
  programmes(idChannel: number): Promise<Programme[]>
  reporter: Reporter
  /** Milliseconds since the Unix epoch, by the service's clock. */
  now(): number
  /** Leaves for the sign-in, and comes back to what was asked for (V4-17). */
  signIn(): void
  /** Leaves the player, or goes on to what comes next. */
  go(target: EndTarget): void
  /** Keeps a choice of languages for the next time (decision 21). */
  keepLanguages(chosen: Partial<Languages>): void
  /** Path from which the player was opened; undefined when it was opened directly. */
  from(): string | undefined
  /** What the operator has configured of the player; what changes while it plays counts at once. */
  settings(): Configuration['player']
}

/** The state of the player in the terms of V3-36, and what its screen shows besides. */
export interface PlayerContext {
  parts: PlayerParts
  target: PlayerTarget
  playable: Playable | null
  loading: boolean
  assetStartTime: number | null
  streamUrl: string | null
  licenseData: Drm | null
  liveEpgProgram: LiveProgramme | null
  programmes: Programme[]
  /** Where live playback goes as soon as it can, in seconds since the Unix epoch (V4-31); null when nowhere. */
  toSeek: number | null
  /** Intro, credits, chapters and others. */
  segments: Segments
  selectedMedia: Languages | null
  nextAsset: Asset | null
  related: Item[]
  isTrailer: boolean
  session: string | null

  error: PlayerError | null
  reading: Reading
  tracks: Tracks
  volumePercent: number
  muted: boolean
  speed: number
  /** Whether the next episode was refused; holds until the next ready state (V4-38). */
  bingeDismissed: boolean
  bingeSecondsLeft: number
  /** Whether a menu of the bar is open, which counts as hovering. */
  panelOpen: boolean
  /** Whether playback goes on when the suggestions close. */
  resumeAfterSuggestions: boolean
  castDevice: string | null
  /** The player's own last move, so that the screen can show it: seconds, and a number that tells one from the next. */
  lastMove: { seconds: number; count: number }
}

export type PlayerMachineEvent =
  | EngineEvent
  | { type: 'open'; target: PlayerTarget }
  | { type: 'refused'; error: PlayerError }
  | { type: 'retry' }
  | { type: 'close' }
  | { type: 'togglePlay' }
  | { type: 'seekTo'; position: number }
  | { type: 'seekBy'; seconds: number }
  | { type: 'toLive' }
  | { type: 'startOver' }
  | { type: 'skip' }
  | { type: 'setVolume'; percent: number }
  | { type: 'volumeBy'; percent: number }
  | { type: 'toggleMute' }
  | { type: 'setSpeed'; speed: number }
  | { type: 'chooseAudio'; trackId: string; language: string }
  | { type: 'chooseSubtitles'; trackId: string | null; language: string }
  | { type: 'chooseQuality'; lines: number | null }
  | { type: 'activity' }
  /** The viewer is done with the controls for now. */
  | { type: 'rest' }
  | { type: 'hover' }
  | { type: 'unhover' }
  | { type: 'panel'; open: boolean }
  | { type: 'suggestions.open' }
  | { type: 'suggestions.close' }
  | { type: 'binge.play' }
  | { type: 'binge.dismiss' }
  | { type: 'cast.connected'; device: string }
  | { type: 'cast.disconnected'; position: number }
  | { type: 'cast.ended' }
  // Raised by the machine itself.
  | { type: 'loaded' }
  | { type: 'over' }
  | { type: 'binge.due'; seconds: number }
  | { type: 'binge.gone' }

/** The state before anything is known of `target`. Volume and speed outlive it. */
export function resetContext(
  parts: PlayerParts,
  target: PlayerTarget,
): Omit<PlayerContext, 'volumePercent' | 'muted'> {
  return {
    parts,
    target,
    playable: null,
    loading: true,
    assetStartTime: null,
    streamUrl: null,
    licenseData: null,
    liveEpgProgram: null,
    programmes: [],
    toSeek: null,
    segments: NO_SEGMENTS,
    selectedMedia: null,
    nextAsset: null,
    related: [],
    isTrailer: false,
    session: null,
    error: null,
    reading: NOTHING_READ,
    tracks: NO_TRACKS,
    speed: 1,
    bingeDismissed: false,
    bingeSecondsLeft: 0,
    panelOpen: false,
    resumeAfterSuggestions: false,
    castDevice: null,
    lastMove: { seconds: 0, count: 0 },
  }
}

/** Whether one may pause and seek: always, but on live without timeshift (V4-59, decision 17). */
export function canMove({ playable }: Pick<PlayerContext, 'playable'>): boolean {
  return playable !== null && (!playable.live || playable.timeshift)
}

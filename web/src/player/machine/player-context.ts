import type { Configuration } from '@ondine/contract/configuration'
import type { Item, Programme } from '@ondine/contract/entities'
import type { AdBreak } from '@ondine/contract/playback'
import type { AudioAddition } from '@ondine/contract/tracks'
import type { AccountHolder } from '../../features/content/downloads/download.ts'
import type {
  KeepPosition,
  Languages,
  LiveProgramme,
  NextAsset,
  Playable,
  PlayerTarget,
  StreamLicence,
} from '../content/playable.ts'
import { NO_SEGMENTS, type Segments } from '../content/segments.ts'
import {
  type Engine,
  type EngineEvent,
  NO_TRACKS,
  NOTHING_READ,
  type Reading,
  type Tracks,
} from '../engine/engine.ts'
import type { PlayerError } from '../engine/player-error.ts'
import type { Opening, OpeningService } from '../opening/opening.ts'
import type { AdReporter } from './ad-reporter.ts'
import type { EndTarget } from './end-target.ts'
import type { Reporter } from './reporter.ts'

/** The dependencies of the state machine. All its side effects go through these functions. */
export interface PlayerParts {
  engine: Engine
  /**
   * Opens content. Calls `begun` with each playback session, as soon as the service has begun it. After `signal` has
   * aborted, loads nothing and asks the viewer nothing.
   */
  open(target: PlayerTarget, begun: OpeningService['begun'], signal: AbortSignal): Promise<Opening>
  programmes(idChannel: number): Promise<Programme[]>
  /** Returns the present length of a recorded programme, or of an event that a channel carries, in seconds. */
  lengthSeconds(target: PlayerTarget): Promise<number>
  /** Returns whether the viewer may play an asset now. Fails if the service refuses it. */
  mayPlay(idAsset: number): Promise<boolean>
  reporter: Reporter
  adReporter: AdReporter
  /** Returns milliseconds since the Unix epoch, by the service's clock. */
  now(): number
  /** Goes to the sign-in. After the sign-in, the viewer returns to the requested content (V4-17). */
  signIn(): void
  /** Leaves the player, or continues with the next content. */
  go(target: EndTarget): void
  /** Stores chosen languages as the default for later content (spec 21). */
  keepLanguages(chosen: Partial<Languages>): void
  /** Returns the path from which the player was opened; undefined if the viewer opened the player directly. */
  from(): string | undefined
  /** Returns the operator's current settings of the player. Changes apply even during playback. */
  settings(): Configuration['player']
}

/** The state of the player in the terms of V3-36, and further fields that the player's screen shows. */
export interface PlayerContext {
  parts: PlayerParts
  target: PlayerTarget
  playable: Playable | null
  loading: boolean
  assetStartTime: number | null
  streamUrl: string | null
  licenseData: StreamLicence | null
  breaks?: readonly AdBreak[] | undefined
  liveEpgProgram: LiveProgramme | null
  programmes: Programme[]
  /**
   * Requested start of live playback to which the player has not sought yet, in seconds since the Unix epoch
   * (V4-31); null if there is none.
   */
  toSeek: number | null
  /**
   * Whether a live stream has not reached its requested start yet. Its picture is still that of the live edge, which the
   * viewer possibly does not want to see.
   */
  isOnTheWay: boolean
  /** The named ranges of the content: intro, credits, chapters and others. */
  segments: Segments
  selectedMedia: Languages | null
  nextAsset: NextAsset | null
  related: Item[]
  isTrailer: boolean
  session: string | null
  lengthSeconds?: number | undefined
  keepPosition?: KeepPosition | undefined
  holder?: AccountHolder | undefined

  error: PlayerError | null
  reading: Reading
  /** Whether the content has ended, here or on the screen. When it is opened again, it starts at its beginning (V4-52). */
  hasEnded: boolean
  tracks: Tracks
  volumePercent: number
  muted: boolean
  speed: number
  /** Whether the viewer has dismissed the next episode. Reset at the next ready state (V4-38). */
  bingeDismissed: boolean
  bingeSecondsLeft: number
  /** Whether a panel of the player is open. An open panel keeps the controls visible. */
  panelOpen: boolean
  /** Whether playback resumes when the suggestions close. */
  resumeAfterSuggestions: boolean
  /** The last seek by a number of seconds, for display. The counter distinguishes seeks by the same number. */
  lastMove: { seconds: number; count: number }
}

/** The place at which playback continues in this browser after a cast. */
export interface PlaceAfterCast {
  /** In seconds of this player. */
  position: number
  /** Whether the screen was at the live edge of a channel. */
  followsLive: boolean
  /** Whether the content has ended, on the screen or before the cast. */
  hasEnded: boolean
}

export type PlayerMachineEvent =
  | EngineEvent
  | { type: 'open'; target: PlayerTarget }
  /** The service has refused the playback session. */
  | { type: 'refused'; error: PlayerError; session: string }
  /** The playback session has expired. */
  | { type: 'expired'; session: string }
  | { type: 'retry' }
  | { type: 'close' }
  | { type: 'togglePlay' }
  | { type: 'seekTo'; position: number }
  | { type: 'seekBy'; seconds: number }
  | { type: 'toLive' }
  | { type: 'startOver' }
  | { type: 'skip' }
  | { type: 'ad.skip' }
  | { type: 'ad.click' }
  | { type: 'setVolume'; percent: number }
  | { type: 'volumeBy'; percent: number }
  | { type: 'toggleMute' }
  | { type: 'setSpeed'; speed: number }
  /**
   * `label` and `addition` distinguish the track from others in its language. Omitted if the film's own sound is the
   * only track in its language. The viewer has then chosen the language only.
   */
  | {
      type: 'chooseAudio'
      trackId: string
      language: string
      label?: string
      addition?: AudioAddition | undefined
    }
  /** `captions` says whether the subtitles are for the deaf. Omitted if the viewer turns subtitles off. */
  | { type: 'chooseSubtitles'; trackId: string | null; language: string; captions?: boolean }
  | { type: 'chooseQuality'; lines: number | null }
  | { type: 'activity' }
  /** The viewer hides the controls. */
  | { type: 'rest' }
  | { type: 'hover' }
  | { type: 'unhover' }
  | { type: 'panel'; open: boolean }
  | { type: 'suggestions.open' }
  | { type: 'suggestions.close' }
  | { type: 'binge.play' }
  | { type: 'binge.dismiss' }
  | { type: 'cast.connected' }
  | ({ type: 'cast.disconnected' } & PlaceAfterCast)
  | { type: 'cast.ended' }
  // Events that the machine raises itself.
  | { type: 'loaded' }
  | { type: 'over' }
  | { type: 'binge.due'; seconds: number }
  | { type: 'binge.gone' }

/** Returns the initial context for `target`. It keeps only the volume and the muting of the previous context. */
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
    breaks: undefined,
    liveEpgProgram: null,
    programmes: [],
    toSeek: null,
    isOnTheWay: false,
    segments: NO_SEGMENTS,
    selectedMedia: null,
    nextAsset: null,
    related: [],
    isTrailer: false,
    session: null,
    lengthSeconds: undefined,
    keepPosition: undefined,
    holder: undefined,
    error: null,
    reading: NOTHING_READ,
    hasEnded: false,
    tracks: NO_TRACKS,
    speed: 1,
    bingeDismissed: false,
    bingeSecondsLeft: 0,
    panelOpen: false,
    resumeAfterSuggestions: false,
    lastMove: { seconds: 0, count: 0 },
  }
}

/**
 * Returns whether the viewer can pause and seek. The exceptions are advertisements (V4-33), live content without
 * timeshift (V4-59, spec 17), and programmes in which the guide forbids going back.
 */
export function canMove(
  context: Pick<PlayerContext, 'playable' | 'liveEpgProgram'> & { reading: Pick<Reading, 'ad'> },
): boolean {
  const { playable, reading } = context
  return reading.ad === undefined && playable !== null && !isAtEdgeOnly(context)
}

/** Returns whether the viewer must stay at the live edge: without timeshift, or where the guide forbids going back. */
export function isAtEdgeOnly(context: Pick<PlayerContext, 'playable' | 'liveEpgProgram'>): boolean {
  const { playable } = context
  return (playable?.live === true && !playable.timeshift) || isLiveOnly(context)
}

/** Returns the programme at the position of playback, if the viewer may record it. */
export function recordableProgramme({
  playable,
  liveEpgProgram,
}: Pick<PlayerContext, 'playable' | 'liveEpgProgram'>): LiveProgramme | undefined {
  return playable?.recordable === true && liveEpgProgram?.npvrEnabled === true ? liveEpgProgram : undefined
}

/** Returns whether the guide forbids timeshift in the current programme, on a channel that otherwise allows it. */
export function isLiveOnly({
  playable,
  liveEpgProgram,
}: Pick<PlayerContext, 'playable' | 'liveEpgProgram'>): boolean {
  return playable?.timeshift === true && liveEpgProgram?.timeshiftEnabled === false
}

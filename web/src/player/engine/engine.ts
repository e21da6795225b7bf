import type { Ad, AdBreak } from '@ondine/contract/playback'
import type { AudioAddition } from '@ondine/contract/tracks'
import type { Languages, StreamLicence } from '../content/playable.ts'
import type { SeekRange } from './live-edge.ts'
import type { PlayerError } from './player-error.ts'

/**
 * The playback engine that the player's state machine controls. `shaka-engine.ts` implements it with Shaka. Tests
 * use a fake.
 */
export interface Engine {
  /** Requests the manifest ahead of {@link load}. */
  prepare(stream: Stream): void
  /** Resolves when the tracks are known and playback can begin. */
  load(stream: Stream): Promise<void>
  /** Resolves with false if the browser blocks autoplay and requires a press of a button first. */
  play(): Promise<boolean>
  pause(): void
  /** Seeks to a position in seconds of the presentation. */
  seek(position: number): void
  /** Ends all requests of the stream, and of a prepared one. Until the next {@link load}, there is nothing to play. */
  unload(): void
  /** Returns the current state of playback. */
  read(): Reading
  setVolume(percent: number): void
  setMuted(muted: boolean): void
  setSpeed(speed: number): void
  chooseAudio(trackId: string): void
  /** Null hides subtitles. */
  chooseSubtitles(trackId: string | null): void
  /** Sets the height of the video in lines; null lets the engine adapt it. */
  chooseQuality(lines: number | null): void
  /** Returns the preview image of a position; null if the stream has no preview images. */
  thumbnail(position: number): Promise<Thumbnail | null>
  listen(listener: (event: EngineEvent) => void): () => void
  /** Skips the current advertisement. Does nothing if the viewer may not skip it yet. */
  skipAd(): void
  destroy(): void
}

/** An engine without support for advertisements. Its positions are positions in the manifest. */
export type StreamEngine = Omit<Engine, 'skipAd'>

/** A stream to play. */
export interface Stream {
  url: string
  licence: StreamLicence | null
  /** Start in seconds of the asset; null for the beginning or the live edge. */
  startAt: number | null
  languages: Languages
  /** Breaks with advertisements. */
  breaks?: readonly AdBreak[] | undefined
}

/** The current advertisement. */
export interface PlayingAd {
  ad: Ad
  /** Number of the advertisement in its break, from 1. `count` is the number of advertisements in the break. */
  number: number
  count: number
  /** Seconds since the beginning of the advertisement. */
  position: number
}

/** The state of playback, in seconds of the presentation. On channels the presentation begins at the Unix epoch. */
export interface Reading {
  position: number
  /** Total duration; 0 while it is unknown. For a live stream, the duration of the window. */
  duration: number
  /** End of the buffered range around the position. */
  bufferedUntil: number
  range: SeekRange
  /**
   * The live edge for this viewer: the position at which playback follows the broadcast. It is slightly before the
   * end of the range, because playback begins at the start of a segment. For a stream that is not live, the end of
   * the range.
   */
  edge: number
  /**
   * Whether the viewer follows the broadcast, even if playback has stalled. False after a pause or a seek back that
   * leaves the viewer behind the live edge, and for a stream that is not live.
   */
  followsLive: boolean
  /**
   * Seconds from the Unix epoch to the presentation's zero; null for streams that are not live, and for live streams
   * without a wall clock.
   */
  epoch: number | null
  /**
   * The current advertisement. During an advertisement, the other fields still describe the film. On a channel,
   * the position also advances during an advertisement.
   */
  ad?: PlayingAd | undefined
}

export const NOTHING_READ: Reading = {
  position: 0,
  duration: 0,
  bufferedUntil: 0,
  range: { start: 0, end: 0 },
  edge: 0,
  followsLive: false,
  epoch: null,
}

/** Returns the position in seconds; undefined before a stream is loaded, and after a failed load. */
export function positionOf(reading: Reading): number | undefined {
  return reading === NOTHING_READ ? undefined : Math.max(0, reading.position)
}

/** A track that the viewer can choose (V3-37). */
export interface Track {
  trackId: string
  type: 'TEXT' | 'AUDIO'
  /** BCP 47 tag. */
  language: string
  /** Distinguishes tracks of the same language, for example a commentary. Usually empty. */
  label: string
  isActive: boolean
  /** Whether these are subtitles for the deaf and hard of hearing. */
  captions: boolean
  /** Commentary or audio description. Omitted for a track with only the film's own sound. */
  addition?: AudioAddition | undefined
}

/** The available tracks and qualities. */
export interface Tracks {
  audio: Track[]
  subtitles: Track[]
  /** Video heights in lines, the highest first. */
  qualities: number[]
  /** The chosen quality; null if the player adapts the quality. */
  quality: number | null
}

export const NO_TRACKS: Tracks = { audio: [], subtitles: [], qualities: [], quality: null }

/** The part of an image that is the preview of a position. */
export interface Thumbnail {
  url: string
  /** Position and size of the part in the image, in pixels. */
  x: number
  y: number
  width: number
  height: number
  imageWidth: number
  imageHeight: number
}

/** The events of the engine. */
export type EngineEvent =
  | { type: 'engine.playing' }
  | { type: 'engine.waiting' }
  | { type: 'engine.paused' }
  | { type: 'engine.seeked' }
  | { type: 'engine.ended' }
  | { type: 'engine.failed'; error: PlayerError }
  | { type: 'engine.tracks'; tracks: Tracks }
  | { type: 'engine.volume'; percent: number; muted: boolean }

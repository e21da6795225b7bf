import type { Drm } from '@ondine/contract/playback'
import type { SeekRange } from './live-edge.ts'
import type { Languages } from './playable.ts'
import type { PlayerError } from './player-error.ts'

/** What the machine lets play. Behind it stands Shaka (`shaka-engine.ts`), in tests something simpler. */
export interface Engine {
  /** Asks for the manifest ahead of {@link load}. */
  prepare(stream: Stream): void
  /** Settles when the tracks are known and playback could begin. */
  load(stream: Stream): Promise<void>
  /** False when the browser wants a press of a button first. */
  play(): Promise<boolean>
  pause(): void
  /** To a place in seconds of the presentation. */
  seek(position: number): void
  /** Where playback is now. */
  read(): Reading
  setVolume(percent: number): void
  setMuted(muted: boolean): void
  setSpeed(speed: number): void
  chooseAudio(trackId: string): void
  /** Null shows no subtitles. */
  chooseSubtitles(trackId: string | null): void
  /** Lines of the picture; null leaves the choice to the player. */
  chooseQuality(lines: number | null): void
  /** The small picture of a place, where the stream has some. */
  thumbnail(position: number): Promise<Thumbnail | null>
  listen(listener: (event: EngineEvent) => void): () => void
  destroy(): void
}

/** A stream to play. */
export interface Stream {
  url: string
  licence: Drm | null
  /** Seconds into the asset; null for the beginning or the live edge. */
  startAt: number | null
  languages: Languages
}

/** Where playback is, in seconds of the presentation; on channels the presentation begins at the Unix epoch. */
export interface Reading {
  position: number
  /** Of the whole; 0 as long as it is not known. For live, of the window. */
  duration: number
  /** End of what is loaded around the position. */
  bufferedUntil: number
  range: SeekRange
  /**
   * The live edge as the viewer has it: where playback is when it follows the broadcast. It lies a little before the
   * range's end, for playback begins at the start of a segment. For what is not live, the end.
   */
  edge: number
  /** Seconds from the Unix epoch to the presentation's zero; null for what is not live. */
  epoch: number | null
}

export const NOTHING_READ: Reading = {
  position: 0,
  duration: 0,
  bufferedUntil: 0,
  range: { start: 0, end: 0 },
  edge: 0,
  epoch: null,
}

/** Where playback is, in seconds; undefined before anything is loaded, and after a load that failed. */
export function positionOf(reading: Reading): number | undefined {
  return reading === NOTHING_READ ? undefined : Math.max(0, reading.position)
}

/** A track to choose (V3-37). */
export interface Track {
  trackId: string
  type: 'TEXT' | 'AUDIO'
  /** BCP 47. */
  language: string
  /** What tells it from another of the same language; usually empty. */
  label: string
  isActive: boolean
  /** Subtitles for the deaf and hard of hearing. */
  captions: boolean
}

/** What there is to choose. */
export interface Tracks {
  audio: Track[]
  subtitles: Track[]
  /** Lines of the picture, the most first. */
  qualities: number[]
  /** The chosen quality; null when the player chooses. */
  quality: number | null
}

export const NO_TRACKS: Tracks = { audio: [], subtitles: [], qualities: [], quality: null }

/** A part of an image that stands for a place in time. */
export interface Thumbnail {
  url: string
  /** The part's place and size in the image, in pixels. */
  x: number
  y: number
  width: number
  height: number
  imageWidth: number
  imageHeight: number
}

/** What the engine says of its own accord. */
export type EngineEvent =
  | { type: 'engine.playing' }
  | { type: 'engine.waiting' }
  | { type: 'engine.paused' }
  | { type: 'engine.seeked' }
  | { type: 'engine.ended' }
  | { type: 'engine.failed'; error: PlayerError }
  | { type: 'engine.tracks'; tracks: Tracks }
  | { type: 'engine.volume'; percent: number; muted: boolean }

import type { AudioAddition } from '@ondine/contract/tracks'

/**
 * The published media of one piece of content: its renditions, cut into segments of about {@link SEGMENT_SECONDS},
 * packaged (CMAF fragments) and usually encrypted with one key. A TrackSet is immutable: importing changed content
 * makes a new one.
 *
 * On disk and over HTTP, the files are `{trackSet}/{rendition}/init.mp4`, `{trackSet}/{rendition}/{n}.m4s` (n from
 * 1), `{trackSet}/{rendition}/{n}.vtt` for text, and `{trackSet}/thumbnails/{n}.jpg`. Over HTTP, text is also
 * available as `init.mp4` and `{n}.m4s`, which are made from the WebVTT on request.
 */
export interface TrackSet {
  /** Unguessable identifier, made by ingest: 32 hexadecimal digits. */
  id: string
  /** Common Encryption `cbcs` with one key for all renditions; null when the media is clear (trailers). */
  encryption: {
    keyId: string
    /** Constant initialisation vector, 32 hexadecimal digits. Media from before 2026-11-27 does not state it. */
    iv?: string
  } | null
  /** The renditions, with unique ids. At least one of them is video or audio. */
  renditions: Rendition[]
  /** Tiled thumbnails for scrubbing, or null when none were made. */
  thumbnails: ThumbnailTiles | null
  /** Places at which advertisements begin or end; omitted if there are none. */
  splices?: Splice[]
}

/** A place in a live input at which advertisements begin or end, as the broadcaster announces it. */
export interface Splice {
  /** Time in seconds, on the clock rendition's decode times. */
  seconds: number
  /** The section of ANSI/SCTE 35, in base64. */
  section: string
}

export type Rendition = VideoRendition | AudioRendition | TextRendition

interface RenditionBase {
  /** Path segment and identifier inside the TrackSet: `v720`, `a-fra-1`, `t-eng-1`. `[a-z0-9-]+`. */
  id: string
  /** Ticks per second of `segments` and of the media's own decode times. */
  timescale: number
  /** Durations of the segments in ticks, run-length coded in order: `[ticks, count]`. */
  segments: [ticks: number, count: number][]
  /**
   * Decode time of the first segment, in ticks; 0 if omitted. In a live input, decode times continue from TrackSet
   * to TrackSet.
   */
  startTicks?: number
}

export interface VideoRendition extends RenditionBase {
  kind: 'video'
  /** RFC 6381 codec string, e.g. `avc1.64001f`. */
  codec: string
  width: number
  height: number
  /** Frames per second, e.g. 24 or 23.976. */
  frameRate: number
  /** Peak bit rate: the bits per second of the segment with the highest rate. */
  bandwidth: number
  /** Mean bits per second. */
  averageBandwidth: number
}

export interface AudioRendition extends RenditionBase {
  kind: 'audio'
  codec: string
  /** ISO 639-2/T three-letter code; `und` when the source does not say. */
  language: string
  /** Label in the track menu when two tracks share a language; empty otherwise. */
  label: string
  channels: number
  sampleRate: number
  bandwidth: number
  averageBandwidth: number
  /**
   * Whether this is the default sound: the source's default track, or else its first track. At most one per TrackSet.
   */
  isDefault: boolean
  /** Commentary or audio description. Omitted for the film's own sound. Never set for the default sound. */
  addition?: AudioAddition
}

/** Label of descriptions without a title. The abbreviation is common in French and in English. */
export const DESCRIPTION_LABEL = 'AD'

/** WebVTT cut at the video's segment boundaries. A cue that crosses a boundary is in both segments. */
export interface TextRendition extends RenditionBase {
  kind: 'text'
  language: string
  label: string
  forced: boolean
  /** Whether these are captions for the deaf and hard of hearing. */
  captions: boolean
}

/** Thumbnails as JPEG tiles of `columns` x `rows` pictures, one picture every `intervalSeconds`. */
export interface ThumbnailTiles {
  tileWidth: number
  tileHeight: number
  columns: number
  rows: number
  intervalSeconds: number
  /** Total number of pictures. The last tile may be partly empty. */
  count: number
}

/**
 * Nominal segment duration in seconds. Video segments last exactly this long, except the last one, and except at
 * NTSC and unusual frame rates. Audio segments are alternately slightly shorter and slightly longer.
 */
export const SEGMENT_SECONDS = 4

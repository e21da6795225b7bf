import type { AudioRendition, TextRendition, TrackSet, VideoRendition } from '../src/track-set.ts'

export interface TrackSetShape {
  /** Number from which the ids of the TrackSet are derived. */
  number?: number
  segments?: number
  /** Length of the last video segment, in frames of 1/24 s. All other segments have 96. */
  lastFrames?: number
  heights?: number[]
  audio?: string[]
  text?: string[]
  clear?: boolean
}

/** Makes a TrackSet like those of ingest: 24 frames per second, with sound cut slightly off the picture. */
export function aTrackSet({
  number = 1,
  segments = 15,
  lastFrames = 96,
  heights = [360, 720],
  audio = ['fra', 'eng'],
  text = ['fra', 'eng'],
  clear = false,
}: TrackSetShape = {}): TrackSet {
  return {
    id: number.toString(16).padStart(32, '0'),
    encryption: clear ? null : { keyId: number.toString(16).padStart(32, 'a') },
    thumbnails: { tileWidth: 160, tileHeight: 90, columns: 5, rows: 5, intervalSeconds: 4, count: segments },
    renditions: [
      ...heights.map((height) => aVideo(height, segments, lastFrames)),
      ...audio.map((language, index) => anAudio(language, segments, lastFrames, index === 0)),
      ...text.map((language) => aText(language, segments, lastFrames)),
    ],
  }
}

function aVideo(height: number, segments: number, lastFrames: number): VideoRendition {
  return {
    id: `v${height}`,
    kind: 'video',
    timescale: 12_288,
    segments: cut(49_152, segments, lastFrames * 512),
    codec: 'avc1.64001f',
    width: Math.round((height * 16) / 9),
    height,
    frameRate: 24,
    bandwidth: height * 4000,
    averageBandwidth: height * 3000,
  }
}

function anAudio(language: string, segments: number, lastFrames: number, isDefault: boolean): AudioRendition {
  const runs: [number, number][] = Array.from({ length: segments - 1 }, (_, index) => [
    index % 2 === 0 ? 192_512 : 191_488,
    1,
  ])
  // The last frame of sound extends beyond the picture.
  const last = Math.ceil((lastFrames * 2000) / 1024) * 1024
  return {
    id: `a-${language}`,
    kind: 'audio',
    timescale: 48_000,
    segments: [...runs, [last, 1]],
    codec: 'mp4a.40.2',
    language,
    label: '',
    channels: 2,
    sampleRate: 48_000,
    bandwidth: 140_000,
    averageBandwidth: 128_000,
    isDefault,
  }
}

function aText(language: string, segments: number, lastFrames: number): TextRendition {
  return {
    id: `t-${language}`,
    kind: 'text',
    timescale: 1000,
    segments: cut(4000, segments, Math.ceil((lastFrames * 1000) / 24)),
    language,
    label: '',
    forced: false,
    captions: false,
  }
}

function cut(ticks: number, segments: number, last: number): [number, number][] {
  if (last === ticks) return [[ticks, segments]]
  return segments === 1
    ? [[last, 1]]
    : [
        [ticks, segments - 1],
        [last, 1],
      ]
}

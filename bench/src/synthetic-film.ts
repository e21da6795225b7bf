import type { TrackSet } from '@ondine/media/track-set'

/** Ticks per second in video timestamps, for 24 frames per second. */
const VIDEO_TIMESCALE = 24_000
const SAMPLE_RATE = 48_000
const SEGMENT_SECONDS = 4

/**
 * Creates the TrackSet (packaged title) of a film in two languages, as ingest does. It has no media files, because
 * writing a manifest does not need them.
 * @param number distinguishes films
 * @param segmentCount number of segments of 4 s
 */
export function syntheticFilm(number: number, segmentCount: number): TrackSet {
  const video = {
    timescale: VIDEO_TIMESCALE,
    segments: [run(VIDEO_TIMESCALE * SEGMENT_SECONDS, segmentCount)],
  }
  const audio = { timescale: SAMPLE_RATE, segments: audioRuns(segmentCount) }
  const id = number.toString(16).padStart(32, '0')
  return {
    id,
    encryption: { keyId: id },
    renditions: [
      ...[
        { lines: 1080, width: 1920, codec: 'avc1.640028', bandwidth: 6_200_000 },
        { lines: 720, width: 1280, codec: 'avc1.64001f', bandwidth: 3_300_000 },
        { lines: 360, width: 640, codec: 'avc1.64001e', bandwidth: 950_000 },
      ].map(({ lines, width, codec, bandwidth }) => ({
        kind: 'video' as const,
        id: `v${lines}`,
        codec,
        width,
        height: lines,
        frameRate: 24,
        bandwidth,
        averageBandwidth: Math.round(bandwidth * 0.7),
        ...video,
      })),
      ...['fra', 'eng'].map((language, index) => ({
        kind: 'audio' as const,
        id: `a-${language}-1`,
        codec: 'mp4a.40.2',
        language,
        label: '',
        channels: 2,
        sampleRate: SAMPLE_RATE,
        bandwidth: 130_000,
        averageBandwidth: 128_000,
        isDefault: index === 0,
        ...audio,
      })),
      ...['fra', 'eng'].map((language) => ({
        kind: 'text' as const,
        id: `t-${language}-1`,
        language,
        label: '',
        forced: false,
        captions: false,
        ...video,
      })),
    ],
    thumbnails: {
      tileWidth: 256,
      tileHeight: 144,
      columns: 5,
      rows: 5,
      intervalSeconds: SEGMENT_SECONDS,
      count: segmentCount,
    },
  }
}

function run(ticks: number, count: number): [ticks: number, count: number] {
  return [ticks, count]
}

/**
 * Returns runs of equally long audio segments, as the packager creates them. A frame of AAC has 1024 samples, so
 * segments have 187 or 188 frames.
 */
function audioRuns(segmentCount: number): [ticks: number, count: number][] {
  const frames = (seconds: number) => Math.ceil((seconds * SAMPLE_RATE) / 1024)
  const runs: [ticks: number, count: number][] = []
  for (let segment = 0; segment < segmentCount; segment++) {
    const ticks = 1024 * (frames((segment + 1) * SEGMENT_SECONDS) - frames(segment * SEGMENT_SECONDS))
    const last = runs.at(-1)
    if (last?.[0] === ticks) last[1]++
    else runs.push(run(ticks, 1))
  }
  return runs
}

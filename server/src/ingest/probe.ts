import { open, stat } from 'node:fs/promises'
import type { AudioAddition } from '@ondine/contract/tracks'
import * as z from 'zod'
import { commandLine } from './command-line.ts'
import { inputOptions } from './input-options.ts'
import { languageCode } from './language-codes.ts'
import { type StreamScan, scanPackets } from './packet-scan.ts'
import { IngestError } from './reasons.ts'
import { ProgramError, programReason, runProgram } from './run-program.ts'

/**
 * The content of a source file. Times are in seconds from the start of the picture. If the sound starts well
 * before the picture, times are from the start of the sound.
 */
export interface Source {
  /** Absolute. */
  path: string
  sizeBytes: number
  /** Position of time 0, counted from the start of the file. */
  originSeconds: number
  /** Duration of the picture, in seconds. */
  durationSeconds: number
  video: SourceVideo
  audio: SourceAudio[]
  subtitles: SourceSubtitle[]
  chapters: Chapter[]
}

export interface SourceVideo {
  /** Index of the stream in the file. */
  stream: number
  /** ffmpeg's names of the codec, profile and pixel format: `h264`, `High`, `yuv420p`. */
  codec: string
  profile: string
  pixelFormat: string
  /** H.264 level times ten. */
  level: number
  /** Display size in square pixels, after rotation. */
  width: number
  height: number
  /** Degrees clockwise by which players must turn the picture. */
  rotation: number
  /** Pixel width divided by pixel height. */
  pixelAspect: number
  framesPerSecond: number
  /** Whether frames deviate from an even grid. */
  variable: boolean
  interlaced: boolean
  /** Transfer function of a high dynamic range source; null for standard dynamic range. */
  highDynamicRange: 'pq' | 'hlg' | null
  startSeconds: number
  scan: StreamScan
}

export interface SourceAudio {
  stream: number
  codec: string
  profile: string
  channels: number
  sampleRate: number
  /** ISO 639-2/T; `und` when the file does not say. */
  language: string
  title: string
  isDefault: boolean
  addition: AudioAddition | undefined
  startSeconds: number
  scan: StreamScan
}

export interface SourceSubtitle {
  stream: number
  codec: string
  /** Whether the subtitles are text. The subtitles of DVDs and Blu-rays are pictures. */
  isText: boolean
  language: string
  title: string
  isDefault: boolean
  forced: boolean
  captions: boolean
}

export interface Chapter {
  startSeconds: number
  endSeconds: number
  title: string
}

/** Limits for source files. */
const SOURCE_LIMITS = {
  durationSeconds: 12 * 3600,
  side: 8192,
  streams: 100,
  audioStreams: 32,
  subtitleStreams: 64,
  chapters: 1000,
  /** Shortest duration of a video. */
  shortestSeconds: 0.2,
} as const

/** Maximum lead of the sound that counts as the encoder's priming, which no player should play, in seconds. */
const RUN_UP_SECONDS = 0.1

const TEXT_SUBTITLES = new Set(['subrip', 'srt', 'ass', 'ssa', 'webvtt', 'mov_text', 'text'])

/** Codec tags of media that is already encrypted. */
const PROTECTED_TAGS = new Set(['encv', 'enca', 'drmi', 'drms', 'p608'])

/** A number that ffprobe writes as a number or as text. 0 if it is missing or `N/A`. */
const numeric = z
  .union([z.string(), z.number()])
  .optional()
  .transform((value) => {
    const number = Number(value)
    return Number.isFinite(number) ? number : 0
  })
const label = z.string().default('')
const tags = z.record(z.string(), z.string()).default({})

const streamReport = z.object({
  index: z.int(),
  codec_type: label,
  codec_name: label,
  codec_tag_string: label,
  profile: z.union([z.string(), z.number()]).default('').transform(String),
  pix_fmt: label,
  level: numeric,
  width: numeric,
  height: numeric,
  sample_aspect_ratio: label,
  field_order: label,
  color_transfer: label,
  channels: numeric,
  sample_rate: numeric,
  start_time: numeric,
  disposition: z.record(z.string(), z.number()).default({}),
  tags,
  side_data_list: z
    .array(
      z.object({
        side_data_type: label,
        rotation: numeric,
        dv_profile: numeric,
        dv_bl_signal_compatibility_id: numeric,
      }),
    )
    .default([]),
})
type StreamReport = z.infer<typeof streamReport>

const report = z.object({
  streams: z.array(streamReport).default([]),
  chapters: z.array(z.object({ start_time: numeric, end_time: numeric, tags })).default([]),
  format: z
    .object({ format_name: label, start_time: numeric, duration: numeric })
    .transform((format) => ({ ...format, duration: lengthOf(format) })),
})
type Report = z.infer<typeof report>

/**
 * Returns the duration in a header, in seconds. Most Matroska writers store the end on the file's clock, wherever
 * that clock starts. Some store the true duration. A value before the clock's start must be a true duration.
 */
function lengthOf(format: { format_name: string; start_time: number; duration: number }): number {
  const isEnd = format.format_name.startsWith('matroska') && format.duration >= format.start_time
  return isEnd ? format.duration - format.start_time : format.duration
}

/**
 * Reads the content of `path` from its headers and all its packets.
 *
 * @param path absolute
 * @throws {IngestError} when the file cannot be published.
 */
export async function probe(path: string, signal: AbortSignal): Promise<Source> {
  const file = await stat(path).catch((error: unknown) => {
    throw new IngestError('unreadable', '', error)
  })
  if (!file.isFile()) throw new IngestError('unreadable', 'It is not a file.')

  const found = await readHeaders(path, signal)
  const picture = choosePicture(found)
  checkHeaders(found, picture)

  const scans = await scanPackets(path, (stream) => stream === picture.index, signal)
  const scan = scans.get(picture.index)
  if (scan === undefined || scan.packets === 0) throw new IngestError('zeroDuration', '')
  checkEnd(found, [...scans.values()])

  const runUp = scan.startSeconds - found.format.start_time
  const originSeconds = runUp > 0 && runUp <= RUN_UP_SECONDS ? runUp : 0
  const origin = found.format.start_time + originSeconds

  const video = describeVideo(picture, scan, origin)
  // Assumes a usual frame at the end, because the last packet may have no duration.
  const lastFrame = scan.framesPerSecond > 0 ? 1 / scan.framesPerSecond : 0
  const durationSeconds =
    Math.max(scan.endSeconds, (scan.times.at(-1) ?? 0) + lastFrame) - scan.startSeconds + video.startSeconds
  if (durationSeconds < SOURCE_LIMITS.shortestSeconds) throw new IngestError('zeroDuration', '')
  if (durationSeconds > SOURCE_LIMITS.durationSeconds) throw new IngestError('tooLong', '')

  return {
    path,
    sizeBytes: file.size,
    originSeconds,
    durationSeconds,
    video,
    audio: found.streams.flatMap((stream) => {
      const scan = scans.get(stream.index)
      return stream.codec_type === 'audio' && scan !== undefined && stream.codec_name !== ''
        ? [describeAudio(stream, scan, origin)]
        : []
    }),
    subtitles: found.streams.filter((stream) => stream.codec_type === 'subtitle').map(describeSubtitle),
    chapters: found.chapters.map((chapter) => ({
      startSeconds: Math.max(0, chapter.start_time - origin),
      endSeconds: Math.max(0, chapter.end_time - origin),
      title: textTag(chapter.tags, 'title'),
    })),
  }
}

async function readHeaders(path: string, signal: AbortSignal): Promise<Report> {
  try {
    const output = await runProgram({
      program: 'ffprobe',
      arguments: [
        ...commandLine`-v error -of json -show_format -show_streams -show_chapters`,
        ...inputOptions(path),
      ],
      signal,
      limits: { wallSeconds: 120, memoryBytes: 4e9, outputBytes: 20e6 },
    })
    return report.parse(JSON.parse(output.toString('utf8')))
  } catch (error) {
    if (error instanceof ProgramError && (await beginsLikeMedia(path))) {
      throw new IngestError('truncated', error.tail.split('\n').at(-1) ?? '', error)
    }
    if (error instanceof ProgramError && /Permission denied/i.test(error.tail)) {
      throw new IngestError('unreadable', '', error)
    }
    throw programReason(error, 'notMedia')
  }
}

/**
 * Returns whether a file begins like MP4 or Matroska. If ffmpeg cannot open such a file, the file's index or most
 * of its content is missing.
 */
async function beginsLikeMedia(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0)
    const type = buffer.toString('latin1', 4, 8)
    return (
      bytesRead === 8 &&
      (['ftyp', 'mdat', 'moov', 'free', 'wide'].includes(type) || buffer.readUInt32BE(0) === 0x1a45dfa3)
    )
  } finally {
    await file.close()
  }
}

/** Returns the video stream, or the default one of several. Cover pictures of music files do not count. */
function choosePicture(found: Report): StreamReport {
  const pictures = found.streams.filter((stream) => stream.codec_type === 'video' && isPlayable(stream))
  const picture = pictures.find((stream) => stream.disposition.default === 1) ?? pictures[0]
  if (picture) return picture
  throw new IngestError(found.streams.length === 0 ? 'notMedia' : 'noPicture', '')
}

/** Returns whether a stream is video, audio or subtitles, and no attached picture. */
function isPlayable({ codec_type, disposition }: StreamReport): boolean {
  return (
    ['video', 'audio', 'subtitle'].includes(codec_type) &&
    disposition.attached_pic !== 1 &&
    disposition.timed_thumbnails !== 1
  )
}

function checkHeaders(found: Report, picture: StreamReport): void {
  const count = (type: string) => found.streams.filter((stream) => stream.codec_type === type).length
  // A film may have any number of attachments, such as the fonts of its subtitles.
  const streams = found.streams.filter(isPlayable).length
  if (
    streams > SOURCE_LIMITS.streams ||
    count('audio') > SOURCE_LIMITS.audioStreams ||
    count('subtitle') > SOURCE_LIMITS.subtitleStreams ||
    found.chapters.length > SOURCE_LIMITS.chapters
  ) {
    throw new IngestError('tooManyStreams', `${streams}`)
  }
  if (found.streams.some((stream) => PROTECTED_TAGS.has(stream.codec_tag_string))) {
    throw new IngestError('protected', '')
  }
  if (picture.codec_name === '') throw new IngestError('unknownCodec', picture.codec_tag_string)
  if (picture.width > SOURCE_LIMITS.side || picture.height > SOURCE_LIMITS.side) {
    throw new IngestError('tooLarge', `${picture.width} x ${picture.height}`)
  }
  if (picture.width < 16 || picture.height < 16) throw new IngestError('noPicture', '')
  if (found.format.duration > SOURCE_LIMITS.durationSeconds) throw new IngestError('tooLong', '')
  // Without a Dolby decoder, Dolby Vision profile 5 and similar profiles have wrong colours.
  if (
    picture.side_data_list.some((data) => data.dv_profile > 0 && data.dv_bl_signal_compatibility_id === 0)
  ) {
    throw new IngestError('unknownColour', '')
  }
}

/** Rejects a file that contains less than its header declares: its copy or download was interrupted. */
function checkEnd(found: Report, scans: StreamScan[]): void {
  const end = scans.reduce((latest, scan) => Math.max(latest, scan.endSeconds), 0) - found.format.start_time
  const promised = found.format.duration
  if (promised - end > Math.max(2, promised * 0.02)) {
    throw new IngestError('truncated', `It ends after ${end.toFixed(1)} s of ${promised.toFixed(1)} s.`)
  }
}

function describeVideo(stream: StreamReport, scan: StreamScan, origin: number): SourceVideo {
  const turned = stream.side_data_list.find((data) => data.side_data_type === 'Display Matrix')?.rotation ?? 0
  const rotation = (((Math.round(-turned / 90) * 90) % 360) + 360) % 360
  const pixelAspect = aspect(stream.sample_aspect_ratio)
  const width = Math.round(stream.width * pixelAspect)
  const upright = rotation % 180 === 0
  return {
    stream: stream.index,
    codec: stream.codec_name,
    profile: stream.profile,
    pixelFormat: stream.pix_fmt,
    level: stream.level,
    width: upright ? width : stream.height,
    height: upright ? stream.height : width,
    rotation,
    pixelAspect,
    framesPerSecond: scan.framesPerSecond,
    variable: scan.variable,
    interlaced: ['tt', 'bb', 'tb', 'bt'].includes(stream.field_order),
    highDynamicRange:
      stream.color_transfer === 'smpte2084' ? 'pq' : stream.color_transfer === 'arib-std-b67' ? 'hlg' : null,
    startSeconds: Math.max(0, scan.startSeconds - origin),
    scan,
  }
}

function describeAudio(stream: StreamReport, scan: StreamScan, origin: number): SourceAudio {
  return {
    stream: stream.index,
    codec: stream.codec_name,
    profile: stream.profile,
    channels: stream.channels,
    sampleRate: stream.sample_rate,
    language: languageCode(textTag(stream.tags, 'language')) ?? 'und',
    title: textTag(stream.tags, 'title'),
    isDefault: stream.disposition.default === 1,
    addition: additionOf(stream),
    startSeconds: scan.startSeconds - origin,
    scan,
  }
}

function additionOf({ disposition }: StreamReport): AudioAddition | undefined {
  if (disposition.visual_impaired === 1) return 'description'
  return disposition.comment === 1 ? 'commentary' : undefined
}

function describeSubtitle(stream: StreamReport): SourceSubtitle {
  return {
    stream: stream.index,
    codec: stream.codec_name,
    isText: TEXT_SUBTITLES.has(stream.codec_name),
    language: languageCode(textTag(stream.tags, 'language')) ?? 'und',
    title: textTag(stream.tags, 'title'),
    isDefault: stream.disposition.default === 1,
    forced: stream.disposition.forced === 1,
    captions: stream.disposition.hearing_impaired === 1 || stream.disposition.captions === 1,
  }
}

/**
 * Returns the tag of a name, regardless of case, as one line of at most 200 characters. Removes control characters
 * and characters that change the text direction.
 */
function textTag(all: Record<string, string>, name: string): string {
  const value = Object.entries(all).find(([key]) => key.toLowerCase() === name)?.[1] ?? ''
  return value
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
}

/** Parses a ratio such as `16:11`. Returns 1 when it is unknown or absurd. */
function aspect(ratio: string): number {
  const [width, height] = ratio.split(':').map(Number)
  const value = (width ?? 0) / (height ?? 0)
  return value > 0.1 && value < 10 ? value : 1
}

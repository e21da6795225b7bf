import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { languageName } from '@ondine/media/language'
import type { TextRendition, VideoRendition } from '@ondine/media/track-set'
import { commandLine } from './command-line.ts'
import { inputOptions } from './input-options.ts'
import type { Source, SourceSubtitle } from './probe.ts'
import { IngestError, type Reason } from './reasons.ts'
import { programReason, runProgram } from './run-program.ts'
import { segmentCues } from './subtitle-segments.ts'
import { parseSubtitles, SUBTITLE_LIMITS, type Subtitles } from './subtitles.ts'
import { decodeText, encodingOf } from './text-encoding.ts'
import type { Workspace } from './workspace.ts'

/** A subtitle file beside the video. */
export interface SubtitleFile {
  /** Absolute. */
  path: string
  /** ISO 639-2/T, or `und`. */
  language: string
  /** Tag with a script or a region, such as `zh-Hant` or `pt-BR`; omitted if the name of the file has neither. */
  variant?: string
  /** Distinguishes the track from other tracks in the same language; usually empty. */
  label: string
  forced: boolean
  captions: boolean
}

/** A note on a subtitle track that was skipped, as a whole or in part, or whose encoding was assumed. */
export interface SubtitleNote {
  /** Path of the file, or a stream such as `stream 3`. */
  origin: string
  reason: Reason | null
  /** The exact faults, with line numbers from 1. */
  problems: { line: number; reason: string }[]
  /** The encoding of a file that is not in Unicode and whose language, which tells the encoding, is unknown. */
  assumedEncoding?: string
}

const QUIETLY = commandLine`-nostdin -hide_banner -v error`
const TO_WEBVTT = commandLine`-c:s webvtt -f webvtt`

/** Maximum duration of extracting one text, in seconds, and all texts of a film together. */
const WALL_SECONDS = { one: 900, all: 1800 }

interface TextTrack extends Omit<SubtitleFile, 'path' | 'variant'> {
  subtitles: Subtitles
}

/**
 * Writes subtitles into the workspace, segmented like `video`: first the files beside the source, then the streams
 * inside the source. Skips and notes an unreadable track, which does not stop the ingest.
 */
export async function makeTextRenditions(
  workspace: Workspace,
  source: Source,
  files: readonly SubtitleFile[],
  video: VideoRendition,
  signal: AbortSignal,
): Promise<{ renditions: TextRendition[]; notes: SubtitleNote[] }> {
  const tracks: TextTrack[] = []
  const notes: SubtitleNote[] = []
  const take = async (
    origin: string,
    track: Omit<TextTrack, 'subtitles'>,
    read: () => Promise<string>,
  ): Promise<boolean> => {
    try {
      const subtitles = parseSubtitles(await read())
      if (subtitles.cues.length === 0) throw new IngestError('subtitleUnreadable', 'It has no cues.')
      tracks.push({ ...track, subtitles })
      if (subtitles.problems.length > 0) notes.push({ origin, reason: null, problems: subtitles.problems })
      return true
    } catch (error) {
      if (!(error instanceof IngestError)) throw error
      notes.push({ origin, reason: error.reason, problems: [] })
      return false
    }
  }
  for (const { path, variant, ...track } of files) {
    // The variant is named in the language itself, because the label is the same for all viewers.
    const label = variant === undefined ? track.label : `${languageName(variant)} ${track.label}`.trim()
    const script = variant === undefined ? undefined : new Intl.Locale(variant).maximize().script
    let assumedEncoding: string | undefined
    const isTaken = await take(path, { ...track, label }, async () => {
      const data = await readSubtitles(path)
      const encoding = encodingOf(data, track.language, script)
      if (track.language === 'und' && !encoding.startsWith('utf-')) assumedEncoding = encoding
      const text = decodeText(data, track.language, script)
      return /\.(?:ass|ssa)$/i.test(path) ? await convertScript(workspace, text, signal) : text
    })
    if (isTaken && assumedEncoding !== undefined)
      notes.push({ origin: path, reason: null, problems: [], assumedEncoding })
  }
  const textOf = await extractStreams(workspace, source, signal)
  for (const stream of source.subtitles) {
    const { language, title, forced, captions } = stream
    const origin = `stream ${stream.stream}`
    if (!stream.isText) notes.push({ origin, reason: 'subtitlePicture', problems: [] })
    else await take(origin, { language, label: title, forced, captions }, async () => await textOf(stream))
  }

  const renditions: TextRendition[] = []
  for (const [index, track] of tracks.entries()) {
    const rendition = describe(tracks, index, track, video)
    const folder = join(workspace.set, rendition.id)
    await mkdir(folder)
    let number = 1
    for (const text of segmentCues(track.subtitles.cues, segmentLengths(video))) {
      await writeFile(join(folder, `${number}.vtt`), text)
      number += 1
    }
    renditions.push(rendition)
  }
  return { renditions, notes }
}

function describe(
  tracks: readonly TextTrack[],
  index: number,
  track: TextTrack,
  video: VideoRendition,
): TextRendition {
  const { language, forced, captions } = track
  const alike = tracks.filter((other) => other.language === language)
  const place = tracks.slice(0, index + 1).filter((other) => other.language === language).length
  return {
    kind: 'text',
    id: `t-${language}-${place}`,
    language,
    label: alike.length > 1 ? track.label || `${place}` : '',
    forced,
    captions,
    timescale: video.timescale,
    segments: video.segments.map(([ticks, count]) => [ticks, count]),
  }
}

function* segmentLengths({ segments, timescale }: VideoRendition): Generator<number> {
  for (const [ticks, count] of segments) for (let n = 0; n < count; n++) yield ticks / timescale
}

async function readSubtitles(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path)
    if (size > SUBTITLE_LIMITS.bytes) throw new IngestError('subtitleUnreadable', `It has ${size} bytes.`)
    return await readFile(path)
  } catch (error) {
    if (error instanceof IngestError) throw error
    throw new IngestError('subtitleUnreadable', '', error)
  }
}

/** Converts SubStation Alpha (`.ass`, `.ssa`) to WebVTT. */
async function convertScript(workspace: Workspace, script: string, signal: AbortSignal): Promise<string> {
  const path = join(workspace.work, 'script.ass')
  await writeFile(path, script)
  return await convertToText(
    [...commandLine`-protocol_whitelist file,pipe -f ass -i file:${path} -map 0:s:0`],
    signal,
  )
}

/**
 * Extracts all text streams of a film in one run of ffmpeg, because each run reads the whole film. Returns a function
 * that returns the text of a stream. If the run fails, this function extracts each stream in a run of its own, so that
 * a broken stream costs only itself. All runs share one time limit.
 */
async function extractStreams(
  workspace: Workspace,
  { path, originSeconds, subtitles }: Source,
  signal: AbortSignal,
): Promise<(stream: SourceSubtitle) => Promise<string>> {
  const input = inputOptions(path, originSeconds)
  const endsAt = performance.now() + WALL_SECONDS.all * 1000
  const alone = async ({ stream }: SourceSubtitle): Promise<string> => {
    const wallSeconds = Math.min(WALL_SECONDS.one, Math.max(0, (endsAt - performance.now()) / 1000))
    return await convertToText([...input, ...commandLine`-map 0:${stream}`], signal, wallSeconds)
  }
  const texts = subtitles.filter(({ isText }) => isText)
  if (texts.length < 2) return alone
  const fileOf = ({ stream }: SourceSubtitle): string => join(workspace.work, `stream-${stream}.vtt`)
  // An output that reaches the size `-fs` is cut off there. It is too large for `readSubtitles`, which refuses it.
  const outputs = texts.flatMap((text) => [
    ...commandLine`-map 0:${text.stream}`,
    ...TO_WEBVTT,
    ...commandLine`-fs ${SUBTITLE_LIMITS.bytes + 1} file:${fileOf(text)}`,
  ])
  try {
    await runProgram({
      program: 'ffmpeg',
      arguments: [...QUIETLY, ...input, ...outputs],
      signal,
      limits: { wallSeconds: WALL_SECONDS.all, memoryBytes: 4e9, outputBytes: SUBTITLE_LIMITS.bytes },
    })
  } catch (error) {
    const reason = programReason(error, 'subtitleUnreadable')
    if (!(reason instanceof IngestError)) throw reason
    // Single runs would take even longer.
    return reason.reason === 'tookTooLong' ? async () => await Promise.reject(reason) : alone
  }
  return async (stream) => decodeText(await readSubtitles(fileOf(stream)), 'eng')
}

/** Converts subtitles to WebVTT. `input` has ffmpeg's options for the input and the stream. */
async function convertToText(
  input: readonly string[],
  signal: AbortSignal,
  wallSeconds = WALL_SECONDS.one,
): Promise<string> {
  try {
    const text = await runProgram({
      program: 'ffmpeg',
      arguments: [...QUIETLY, ...input, ...TO_WEBVTT, 'pipe:1'],
      signal,
      limits: { wallSeconds, memoryBytes: 4e9, outputBytes: SUBTITLE_LIMITS.bytes },
    })
    return decodeText(text, 'eng')
  } catch (error) {
    throw programReason(error, 'subtitleUnreadable')
  }
}

import { sanitiseCueText } from './subtitle-markup.ts'

/** A subtitle cue. Times are in seconds of the media. */
export interface Cue {
  startSeconds: number
  endSeconds: number
  /** A WebVTT cue payload. */
  text: string
  /** WebVTT cue settings, such as `line:10%`; usually empty. */
  settings: string
}

export interface Subtitles {
  /** The cues, sorted by their start. */
  cues: Cue[]
  /** Skipped cues, with their line (from 1). */
  problems: { line: number; reason: string }[]
}

export const SUBTITLE_LIMITS = {
  bytes: 10_000_000,
  cues: 50_000,
  charactersPerCue: 2000,
  problems: 100,
} as const

const TIME = String.raw`(?:(\d{1,3}):)?([0-5]?\d):([0-5]?\d)[.,](\d{1,3})`
const TIMING = new RegExp(String.raw`^\s*${TIME}\s*--?>\s*${TIME}(.*)$`)

/** The allowed cue settings, each matched as a whole. */
const SETTING =
  /^(?:align:(?:start|center|end|left|right)|(?:line|position):\d{1,3}(?:\.\d+)?%(?:,(?:start|center|end))?|line:-?\d{1,2}|size:\d{1,3}(?:\.\d+)?%)$/

/**
 * Matches an ASS override that places the cue at the top. ASS numbers positions like the keys of a numeric keypad.
 */
const AT_TOP = /\{\\an?[789]\}/

/** Matches a cue that is a drawing of ASS: `m 0 0 l 100 0 100 100`. ffmpeg converts drawings to such text. */
const DRAWING = /^\s*m(?:\s+-?[\d.]+){2}\s+[nlbspc](?:\s+(?:[mnlbspc]|-?[\d.]+))*\s*$/

/**
 * Parses SubRip or WebVTT, which differ little. Skips and reports invalid cues, such as a cue that ends before it
 * begins. Skips drawings.
 */
export function parseSubtitles(text: string): Subtitles {
  const lines = text.split('\n')
  const cues: Cue[] = []
  const problems: Subtitles['problems'] = []
  const blame = (index: number, reason: string): void => {
    if (problems.length < SUBTITLE_LIMITS.problems) problems.push({ line: index + 1, reason })
  }
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const timing = TIMING.exec(line)
    if (timing === null) {
      if (line.includes('-->')) blame(index, 'not a timing line')
      continue
    }
    const words = cueLines(lines, index + 1)
    const at = index
    index += words.length
    const startSeconds = seconds(timing.slice(1, 5))
    const endSeconds = seconds(timing.slice(5, 9))
    const raw = words.join('\n')
    const payload = sanitiseCueText(raw)
    if (DRAWING.test(payload)) continue
    if (endSeconds <= startSeconds) blame(at, 'ends before it begins')
    else if (payload === '') blame(at, 'has no text')
    else if (payload.length > SUBTITLE_LIMITS.charactersPerCue) blame(at, 'is too long')
    else if (cues.length >= SUBTITLE_LIMITS.cues) blame(at, 'exceeds the maximum number of cues')
    else cues.push({ startSeconds, endSeconds, text: payload, settings: settings(timing[9] ?? '', raw) })
  }
  cues.sort((a, b) => a.startSeconds - b.startSeconds || a.endSeconds - b.endSeconds)
  return { cues, problems }
}

/** Returns the lines of a cue: up to a blank line, or up to the next cue if the blank line is missing. */
function cueLines(lines: readonly string[], from: number): string[] {
  const words: string[] = []
  for (let index = from; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (line.trim() === '' || TIMING.test(line)) break
    const isNumberOfNext = /^\d+$/.test(line.trim()) && TIMING.test(lines[index + 1] ?? '')
    if (isNumberOfNext) break
    words.push(line)
  }
  return words
}

function seconds([hours, minutes, seconds, fraction]: readonly (string | undefined)[]): number {
  const milliseconds = Number((fraction ?? '').padEnd(3, '0'))
  return Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds) + milliseconds / 1000
}

function settings(text: string, raw: string): string {
  const kept = text.split(/\s+/).filter((word) => SETTING.test(word))
  if (kept.length === 0 && AT_TOP.test(raw)) kept.push('line:10%')
  return kept.join(' ')
}

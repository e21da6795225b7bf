import type { Cue } from './subtitles.ts'

/** The timestamp map is the identity, because cue times are media times (RFC 8216, section 3.5). */
const HEADER = 'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n'

/**
 * Splits `cues` at the segment boundaries of the video, into one WebVTT text with a header per segment. A cue that
 * crosses a boundary is in both segments with the same times, so that players recognise it.
 *
 * @param lengths durations of the video segments in seconds, in order
 */
export function* segmentCues(cues: readonly Cue[], lengths: Iterable<number>): Generator<string> {
  let startSeconds = 0
  let first = 0
  for (const length of lengths) {
    const endSeconds = startSeconds + length
    const shown: Cue[] = []
    while (first < cues.length && (cues[first]?.endSeconds ?? 0) <= startSeconds) first++
    for (let index = first; index < cues.length; index++) {
      const cue = cues[index]
      if (cue === undefined || cue.startSeconds >= endSeconds) break
      if (cue.endSeconds > startSeconds) shown.push(cue)
    }
    yield segmentText(shown)
    startSeconds = endSeconds
  }
}

/** Returns the WebVTT text of one segment with these cues. */
export function segmentText(cues: readonly Cue[]): string {
  return HEADER + cues.map(cueText).join('')
}

function cueText({ startSeconds, endSeconds, text, settings }: Cue): string {
  const timing = `${timestamp(startSeconds)} --> ${timestamp(endSeconds)}`
  return `${settings === '' ? timing : `${timing} ${settings}`}\n${text}\n\n`
}

/** Formats a time as in WebVTT: `01:02:03.456`. */
function timestamp(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000)
  return (
    `${digits(milliseconds / 3_600_000, 2)}:${digits((milliseconds / 60_000) % 60, 2)}:` +
    `${digits((milliseconds / 1000) % 60, 2)}.${digits(milliseconds % 1000, 3)}`
  )
}

function digits(value: number, count: number): string {
  return String(Math.floor(value)).padStart(count, '0')
}

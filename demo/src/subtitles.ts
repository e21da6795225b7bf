import type { Cue } from './timing.ts'
import { twoDigits } from './title.ts'

/** Returns French subtitles in SubRip, the most common format. */
export function subRip(cues: readonly Cue[]): string {
  return cues
    .map(
      (cue, index) =>
        `${index + 1}\n${clock(cue.from, ',')} --> ${clock(cue.to, ',')}\n${wrap(cue.text.fra)}\n`,
    )
    .join('\n')
}

/** Returns English subtitles as WebVTT. */
export function webVtt(cues: readonly Cue[]): string {
  const blocks = cues.map(
    (cue) => `${clock(cue.from, '.')} --> ${clock(cue.to, '.')}\n${wrap(cue.text.eng)}\n`,
  )
  return `WEBVTT\n\n${blocks.join('\n')}`
}

/** Splits a text into at most two lines of about the same length. A line break in the text stays where it is. */
function wrap(text: string): string {
  if (text.length <= 42 || text.includes('\n')) return text
  const middle = text.length / 2
  let best = -1
  for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1)) {
    if (best === -1 || Math.abs(at - middle) < Math.abs(best - middle)) best = at
  }
  return best === -1 ? text : `${text.slice(0, best)}\n${text.slice(best + 1)}`
}

function clock(seconds: number, point: ',' | '.'): string {
  const total = Math.round(seconds * 1000)
  const whole = Math.floor(total / 1000)
  return `${twoDigits(Math.floor(whole / 3600))}:${twoDigits(Math.floor(whole / 60) % 60)}:${twoDigits(whole % 60)}${point}${String(total % 1000).padStart(3, '0')}`
}

import { sanitiseCueText } from '../subtitle-markup.ts'
import { type Cue, SUBTITLE_LIMITS } from '../subtitles.ts'
import { unwrapped } from './mpegts-clock.ts'

/** A teletext page of subtitles. Times are in seconds of the media. */
interface Page {
  startSeconds: number
  /** When the page was last sent. Broadcasters repeat a page while it is shown. */
  sentSeconds: number
  /** A WebVTT cue payload. */
  text: string
}

/**
 * How long after its last transmission a page disappears if no other page follows, in seconds. ffmpeg does not
 * report when a page is cleared.
 */
const LONGEST_CUE_SECONDS = 7

/** Maximum number of pages that wait for their segment. */
const MOST_PAGES = 200

/** Maximum number of characters that wait for the end of their page. */
const LONGEST_REST = 100_000

const TIMING = /^(?:(\d+):)?(\d\d):(\d\d\.\d{3}) --> /

/** Reads the pages that ffmpeg writes as WebVTT, as they arrive, and returns the cues of each segment. */
export class TeletextCues {
  #rest = ''
  #pages: Page[] = []
  /** End of the newest segment; undefined before the first one. */
  #endSeconds: number | undefined

  /** Adds the next part of the text. ffmpeg writes each page in one piece. */
  push(text: string): void {
    const blocks = (this.#rest + text).split(/\n{2,}/)
    const last = blocks.pop() ?? ''
    // ffmpeg writes the blank line after a page only with the next page.
    const isWhole = last.endsWith('\n')
    this.#rest = isWhole ? '' : last.slice(-LONGEST_REST)
    for (const block of isWhole ? [...blocks, last] : blocks) this.#read(block)
    this.#pages = this.#pages.slice(-MOST_PAGES)
  }

  #read(block: string): void {
    const [timing = '', ...lines] = block.trim().split('\n')
    const [, hours = '0', minutes, seconds] = TIMING.exec(timing) ?? []
    if (minutes === undefined) return
    const shownSeconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    const startSeconds = unwrapped(shownSeconds, this.#endSeconds ?? shownSeconds)
    const text = sanitiseCueText(lines.join('\n').slice(0, SUBTITLE_LIMITS.charactersPerCue))
    const last = this.#pages.at(-1)
    const isRepeated = last?.text === text && startSeconds - last.sentSeconds < LONGEST_CUE_SECONDS
    if (isRepeated) last.sentSeconds = startSeconds
    else this.#pages.push({ startSeconds, sentSeconds: startSeconds, text })
  }

  /**
   * Returns the cues of the next segment. The cue of a page that continues ends with the segment, because the
   * page's end is unknown.
   */
  take(startSeconds: number, endSeconds: number): Cue[] {
    this.#endSeconds = endSeconds
    const cues: Cue[] = []
    const kept: Page[] = []
    for (const [index, page] of this.#pages.entries()) {
      const next = this.#pages[index + 1]?.startSeconds ?? Infinity
      const end = Math.min(next, page.sentSeconds + LONGEST_CUE_SECONDS)
      const from = Math.max(page.startSeconds, startSeconds)
      const to = Math.min(end, endSeconds)
      if (from < to && page.text !== '')
        cues.push({ startSeconds: from, endSeconds: to, text: page.text, settings: '' })
      if (end > endSeconds) kept.push(page)
    }
    this.#pages = kept
    return cues
  }
}

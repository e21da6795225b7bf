import { PassThrough } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as pause } from 'node:timers/promises'
import { commandLine } from '../command-line.ts'
import { ProgramError, runProgram } from '../run-program.ts'
import type { CutText } from './cutter.ts'
import { LIVE_LIMITS } from './kept-program.ts'
import { TeletextCues } from './teletext-cues.ts'
import { TeletextMap, type TeletextPage } from './teletext-map.ts'

/** The subtitle page in most countries, for sources that do not declare their subtitle pages. */
const USUAL_PAGE = '888'
/** Pause before a decoder that has ended is restarted, in milliseconds. */
const PAUSE_MS = 5000
/**
 * Empty MPEG-TS packets. ffmpeg needs 8 kB to recognise the format. Teletext may be so sparse that 8 kB of it take
 * a minute.
 */
const FILLING = Buffer.concat(
  Array.from({ length: 60 }, () =>
    Buffer.concat([Buffer.from([0x47, 0x1f, 0xff, 0x10]), Buffer.alloc(184, 0xff)]),
  ),
)
/** Maximum bytes that wait for a decoder. Teletext beyond the limit is dropped. */
const MOST_WAITING = 4_000_000

/** A subtitle page with its own decoder, because an ffmpeg decodes only one page. */
interface Track {
  id: string
  page: TeletextPage
  /** Distinguishes pages of the same language and kind; usually empty. */
  label: string
  cues: TeletextCues
  input: PassThrough
}

/** Decodes teletext subtitles. Each page that the source declares becomes a separate track. */
export class TeletextDecoder {
  readonly #language: string
  readonly #onFault: (error: unknown) => void
  #hasReported = false
  readonly #stopping = new AbortController()
  readonly #map = new TeletextMap()
  #tracks: Track[] | undefined
  /** MPEG-TS chunks that arrived before the pages were known. */
  #early: Buffer[] = []

  /**
   * @param language language of the subtitles if the source does not declare its subtitle pages
   * @param onFault receives the first error with which a decoder could not be started. The start is tried again
   */
  constructor(language: string, onFault: (error: unknown) => void) {
    this.#language = language
    this.#onFault = onFault
  }

  /** Adds the next part of the MPEG-TS, which contains the teletext and the programme map. */
  push(chunk: Buffer): void {
    if (!this.#tracks) {
      this.#map.push(chunk)
      this.#early.push(chunk)
      if (!this.#map.pages) return
      const usual = { number: USUAL_PAGE, language: this.#language, captions: true }
      this.#tracks = tracksOf(this.#map.pages.length > 0 ? this.#map.pages : [usual])
      for (const track of this.#tracks) void this.#decode(track)
    }
    const early = this.#early.splice(0)
    const news = early.length > 0 ? Buffer.concat([...early, FILLING]) : chunk
    for (const { input } of this.#tracks) if (input.writableLength < MOST_WAITING) input.write(news)
  }

  /** Returns the subtitles of the next segment. Once the pages are known, the tracks are always the same. */
  take(startSeconds: number, endSeconds: number): CutText[] {
    return (this.#tracks ?? []).map(({ id, page: { language, captions }, label, cues }) => ({
      id,
      language,
      captions,
      label,
      cues: cues.take(startSeconds, endSeconds),
    }))
  }

  close(): void {
    this.#stopping.abort(new Error('the input has ended'))
  }

  /** Decodes a page until the input ends. Never fails: without its subtitles, the input goes on. */
  async #decode(track: Track): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const text = new StringDecoder()
      try {
        await runProgram({
          program: 'ffmpeg',
          arguments: decoding(track.page),
          signal,
          limits: LIVE_LIMITS,
          isUrgent: true,
          input: track.input,
          onOutput: (chunk) => track.cues.push(text.write(chunk)),
        })
        await pause(PAUSE_MS, undefined, { signal })
      } catch (error) {
        if (signal.aborted) return
        // A program that ended was started. Damaged teletext is usual, and the next part may be readable.
        const hasStarted = error instanceof ProgramError && error.end !== 'missing'
        if (!hasStarted) this.#report(error)
        await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined)
      }
      track.input = new PassThrough()
      track.input.write(FILLING)
    }
  }

  #report(error: unknown): void {
    if (this.#hasReported) return
    this.#hasReported = true
    this.#onFault(error)
  }
}

function tracksOf(pages: readonly TeletextPage[]): Track[] {
  const places = new Map<string, number>()
  return pages.map((page) => {
    const name = `t-${page.language}${page.captions ? '-captions' : ''}`
    const place = (places.get(name) ?? 0) + 1
    places.set(name, place)
    return {
      id: place === 1 ? name : `${name}-${place}`,
      page,
      label: place === 1 ? '' : `${place}`,
      cues: new TeletextCues(),
      input: new PassThrough(),
    }
  })
}

/** Returns the arguments of an ffmpeg that writes the text of a page with media times. */
function decoding({ number }: TeletextPage): string[] {
  return [
    ...commandLine`-nostdin -hide_banner -nostats -v error -txt_format text -txt_page ${number} -copyts`,
    ...commandLine`-nofind_stream_info -protocol_whitelist pipe -f mpegts -i pipe:0`,
    ...commandLine`-map 0:0 -c:s webvtt -flush_packets 1 -f webvtt pipe:1`,
  ]
}

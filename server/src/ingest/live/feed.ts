import type { Readable } from 'node:stream'
import { OutboundError } from '../../outbound/fetch-outside.ts'
import { ProgramError, runProgram } from '../run-program.ts'
import { AvcError } from './avc.ts'
import { type Cut, CutError, Cutter, type CutterCounts } from './cutter.ts'
import { FragmentReader, StreamError } from './fragments.ts'
import {
  AAC_FILTER,
  type Encoding,
  type FfmpegSource,
  type LiveSource,
  lastMessage,
  sourceArguments,
} from './live-source.ts'
import { SourceError } from './source-error.ts'
import { FormatError } from './track-format.ts'

/** What a feed has received. */
export interface FeedState {
  /** When data last arrived, in milliseconds since the Unix epoch; null if none did. */
  heardAt: number | null
  /** Since when data arrives without a silence; null while there is silence. */
  steadySince: number | null
  /** Bytes that arrived. */
  bytes: number
  /** Times that the program ended and was started again. */
  restarts: number
  /** What is wrong, in words; null if nothing is. */
  trouble: string | null
  /** What is encoded, because its format cannot be taken as it is. */
  encoding: Encoding
  counts: CutterCounts
}

/** Data that is later than this is a silence, in milliseconds. */
export const SILENCE_MS = 3000

/** Pauses before a program that ended at once is started again, in milliseconds. */
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5000
/** A program that ran for this long is started again without a pause, in milliseconds. */
const LASTING_MS = 10_000

/** How often a source is looked at for silence, in milliseconds. */
const LOOK_MS = 500

/** What operators see of an error that has no message for them. */
const FAULT = 'a fault of this program, which is in its log'

const LIMITS = { wallSeconds: Infinity, memoryBytes: 2e9, outputBytes: Infinity }

/** A source that is open for one run of ffmpeg. */
export interface Opening {
  source: FfmpegSource
  /** What ffmpeg reads from its standard input. */
  input?: Readable
  /** Variables of ffmpeg's environment. */
  environment?: Readonly<Record<string, string>>
  /** Ends the run if nothing arrives for this long, in milliseconds. Other sources end by themselves. */
  mostSilentMs?: number
  /** Aborts when the source must not be read any more. */
  signal?: AbortSignal
  close?: () => void
}

/** Options of a feed. */
export interface FeedOptions {
  source: LiveSource
  /** Called before each start. May wait until the source sends, and may throw a reason why it may not be opened now. */
  open: () => Promise<Opening>
  /** Receives the segments, in order. */
  onCut: (cut: Cut) => void
  /** Receives an error that has no message for operators, when it first occurs. The source is tried again. */
  onFault: (error: unknown) => void
  now: () => number
  signal: AbortSignal
}

/** A source that is received until it is stopped. ffmpeg is started again whenever it ends. */
export class Feed {
  readonly state: FeedState = {
    heardAt: null,
    steadySince: null,
    bytes: 0,
    restarts: 0,
    trouble: null,
    encoding: { video: false, audio: false },
    counts: { lostFrames: 0, jumps: 0, silentFrames: 0 },
  }
  readonly #options: FeedOptions

  constructor(options: FeedOptions) {
    this.#options = options
  }

  /** Receives until the signal aborts. */
  async run(): Promise<void> {
    const { signal, now } = this.#options
    let pause = FIRST_PAUSE_MS
    while (!signal.aborted) {
      const begun = now()
      const end = await this.#receive()
      if (signal.aborted) return
      if (end !== 'unfit') this.#copyAgain(begun)
      this.state.restarts++
      if (end === 'fault') pause = LONGEST_PAUSE_MS
      else if (end === 'unfit' || now() - begun > LASTING_MS) pause = FIRST_PAUSE_MS
      await sleep(pause, signal)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
  }

  /**
   * Tries to copy again once a source that was encoded has ended: the next one may have another format. If nothing was
   * received, the source is still to come.
   */
  #copyAgain(begun: number): void {
    if ((this.state.heardAt ?? 0) >= begun) this.state.encoding = { video: false, audio: false }
  }

  /** Runs ffmpeg once. @returns `unfit` if it should be started again at once, because it has to encode */
  async #receive(): Promise<'ended' | 'unfit' | 'fault'> {
    const { source, open, signal, onFault } = this.#options
    const stopped = new AbortController()
    const { encoding } = this.state
    let opening: Opening | undefined
    let watching: NodeJS.Timeout | undefined
    let fault: unknown
    try {
      opening = await open()
      watching = this.#endWhenSilent(opening, stopped)
      const take = this.#taker()
      await runProgram({
        program: 'ffmpeg',
        arguments: sourceArguments(opening.source, encoding),
        input: opening.input,
        environment: opening.environment,
        signal: AbortSignal.any([signal, stopped.signal, ...(opening.signal ? [opening.signal] : [])]),
        limits: LIMITS,
        isUrgent: true,
        onOutput: (chunk) => {
          if (fault !== undefined) return
          try {
            take(chunk)
          } catch (error) {
            fault = error
            stopped.abort(error)
          }
        },
      })
      this.state.trouble = 'the source ended'
    } catch (error) {
      if (signal.aborted) return 'ended'
      const unfit = unfitKind(error)
      if (unfit !== undefined && !encoding[unfit]) {
        this.state.encoding = { ...encoding, [unfit]: true }
        return 'unfit'
      }
      const trouble = troubleOf(error, source)
      if (trouble === undefined && this.state.trouble !== FAULT) onFault(error)
      this.state.trouble = trouble ?? FAULT
      if (trouble === undefined) return 'fault'
    } finally {
      this.state.steadySince = null
      clearInterval(watching)
      opening?.input?.destroy()
      opening?.close?.()
    }
    return 'ended'
  }

  #endWhenSilent({ mostSilentMs }: Opening, stopped: AbortController): NodeJS.Timeout | undefined {
    if (mostSilentMs === undefined) return undefined
    const { now } = this.#options
    const begun = now()
    return setInterval(() => {
      if (now() - Math.max(this.state.heardAt ?? 0, begun) >= mostSilentMs)
        stopped.abort(new SourceError('nothing arrives that can be received'))
    }, LOOK_MS)
  }

  /** Returns a function that takes the output of one run of ffmpeg. */
  #taker(): (chunk: Buffer) => void {
    const { onCut, now } = this.#options
    const { state } = this
    const reader = new FragmentReader()
    const cutter = new Cutter()
    const before = { ...state.counts }
    return (chunk) => {
      const time = now()
      if (state.steadySince === null || time - (state.heardAt ?? 0) > SILENCE_MS) state.steadySince = time
      state.heardAt = time
      state.bytes += chunk.length
      for (const part of reader.push(chunk)) {
        for (const cut of cutter.push(part)) {
          state.trouble = null
          onCut(cut)
        }
      }
      state.counts = {
        lostFrames: before.lostFrames + cutter.counts.lostFrames,
        jumps: before.jumps + cutter.counts.jumps,
        silentFrames: before.silentFrames + cutter.counts.silentFrames,
      }
    }
  }
}

/** Returns the kind of track that has to be encoded; undefined if something else went wrong. */
function unfitKind(error: unknown): keyof Encoding | undefined {
  if (error instanceof FormatError) return error.kind
  return error instanceof ProgramError && error.tail.includes(AAC_FILTER) ? 'audio' : undefined
}

/** Returns what went wrong, in words; undefined if that is no matter of the source. */
function troubleOf(error: unknown, source: LiveSource): string | undefined {
  if (error instanceof ProgramError) return lastMessage(error.tail, source) || `ffmpeg: ${error.end}`
  if (
    error instanceof FormatError ||
    error instanceof StreamError ||
    error instanceof CutError ||
    error instanceof AvcError ||
    error instanceof SourceError ||
    error instanceof OutboundError
  )
    return error.message
  return undefined
}

async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, milliseconds)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}

import { performance } from 'node:perf_hooks'
import { OutboundError } from '../../outbound/fetch-outside.ts'
import { ProgramError, runProgram } from '../run-program.ts'
import { sourceArguments, withProbe } from './live-source.ts'
import { LiveSourceError } from './source-error.ts'
import type { OpenSource, ProgramStart, SourceRequest } from './source-request.ts'

/** Limits of an ffmpeg that receives a live input. */
export const LIVE_LIMITS = { wallSeconds: Infinity, memoryBytes: 4e9, outputBytes: Infinity }

/** File descriptors of ffmpeg: media, messages, and the first of the side outputs. */
export const DESCRIPTOR = { media: 1, messages: 2, beside: 3 } as const

/** Descriptors of the side outputs: teletext, SCTE 35 splices, and the packets of an encoded picture. */
const BESIDE = [DESCRIPTOR.beside, DESCRIPTOR.beside + 1, DESCRIPTOR.beside + 2]

/** A piece of the output of a kept program. */
export interface OutputPiece {
  /** ffmpeg's file descriptor for the piece. A piece of the media is the header or one fragment. */
  descriptor: number
  /**
   * Number of the fragment, from 1. The header has 0. Any other piece has the number of the fragment before it.
   */
  number: number
  bytes: Buffer
  /** Value of `performance.now()` when the piece was complete. */
  at: number
}

/**
 * The result of a kept program. `taken`: another reader has taken it over. `source`: its source could not be
 * opened, or must not be read any more; `tail` is then the reason.
 */
export interface ProgramResult {
  end: ProgramError['end'] | 'taken' | 'source'
  tail: string
}

/** Receives the output of a kept program. */
export interface PieceReader {
  id: string
  take(piece: OutputPiece): void
  /** Called once, after the last piece. */
  end(result: ProgramResult): void
}

/** How long a program continues without a reader, in milliseconds. Enough for a process to restart. */
export const ALONE_MS = 20_000

const TAKEN: ProgramResult = { end: 'taken', tail: '' }

/** Maximum output that is kept for the next reader: its duration in milliseconds, and its size in bytes. */
const MOST_KEPT_MS = 20_000
export const MOST_KEPT_BYTES = 64 * 1024 * 1024
/** Maximum size of the kept messages, in bytes. The first messages are kept, because they list the streams. */
const MOST_MESSAGES_BYTES = 512 * 1024
/** Largest box of ffmpeg's output, in bytes, as in `FragmentReader`. */
const LARGEST_BOX = 32 * 1024 * 1024

/**
 * An ffmpeg that receives a live input, with its latest output. A new reader gets the first messages, the header,
 * and all fragments that no earlier reader has released. So no media is lost when a process is killed.
 */
export class KeptProgram {
  readonly start: ProgramStart
  /** Resolves when the program has ended. */
  readonly ended: Promise<void>
  readonly #stopping = new AbortController()
  #messages = Buffer.alloc(0)
  #header: Buffer[] = []
  /** Fragments and pieces of the side outputs, in order. */
  #pieces: OutputPiece[] = []
  #bytes = 0
  #count = 0
  #reader: PieceReader | undefined
  /** Id of the newest reader, which may have detached. */
  #newestReader: string | undefined
  /** Timer that ends the program if no reader attaches. */
  #ending: NodeJS.Timeout | undefined
  /** Incomplete box at the end of the received media. */
  #rest: Buffer[] = []
  #restLength = 0
  /** Boxes of the fragment that is still incomplete. */
  #fragment: Buffer[] = []
  readonly #open: (request: SourceRequest, signal: AbortSignal) => Promise<OpenSource>

  /** @param open opens the source that the program reads, before the program starts */
  constructor(
    start: ProgramStart,
    open: (request: SourceRequest, signal: AbortSignal) => Promise<OpenSource>,
  ) {
    this.start = start
    this.#open = open
    this.ended = this.#run()
  }

  /** The first messages of the program, up to `MOST_MESSAGES_BYTES`. */
  get messages(): Buffer {
    return this.#messages
  }

  /** Sends the output to a reader, which replaces the previous reader. */
  attach(reader: PieceReader): void {
    clearTimeout(this.#ending)
    this.takeOver()
    this.#reader = reader
    this.#newestReader = reader.id
    const at = performance.now()
    if (this.#messages.length > 0)
      reader.take({ descriptor: DESCRIPTOR.messages, number: 0, bytes: this.#messages, at })
    if (this.#header.length > 0) reader.take(this.#headerPiece())
    for (const piece of this.#pieces) reader.take(piece)
  }

  /** Ends the current reader, because another reader takes over the input. */
  takeOver(): void {
    this.#reader?.end(TAKEN)
    this.#reader = undefined
  }

  /** Stops sending to a reader. The program ends unless another reader attaches within `ALONE_MS`. */
  detach(reader: PieceReader): void {
    if (this.#reader !== reader) return
    this.#reader = undefined
    this.#ending = setTimeout(() => void this.stop(), ALONE_MS)
  }

  /** Drops the fragments up to `number`, because they are stored. */
  release(number: number): void {
    // Keeps the side outputs: their subtitles and splices may belong to a later segment than the media around
    // them.
    this.#pieces = this.#pieces.filter(
      (piece) => piece.number > number || piece.descriptor !== DESCRIPTOR.media,
    )
    this.#bytes = this.#pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  /**
   * Whether a reader is the newest one. The newest reader can release output even after it has detached, because it
   * stores output with a delay.
   */
  isNewest(id: string): boolean {
    return this.#newestReader === id
  }

  /** Ends the program, and waits until it has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the program is stopped'))
    await this.ended
  }

  async #run(): Promise<void> {
    const result = await this.#result()
    clearTimeout(this.#ending)
    this.#reader?.end(result)
    this.#reader = undefined
  }

  async #result(): Promise<ProgramResult> {
    const { signal } = this.#stopping
    const { start } = this
    let opened: OpenSource | undefined
    try {
      let words: readonly string[]
      if ('request' in start) {
        opened = await this.#open(start.request, signal)
        words = sourceArguments(opened.source, start.plan)
      } else words = start.arguments
      await runProgram({
        program: 'ffmpeg',
        arguments: withProbe(words, start.probeSeconds),
        signal: opened?.signal ? AbortSignal.any([signal, opened.signal]) : signal,
        input: opened?.input,
        environment: opened?.environment,
        limits: LIVE_LIMITS,
        isUrgent: true,
        onOutput: (chunk) => this.#push(chunk),
        onMessages: (text) => this.#say(Buffer.from(text)),
        sideOutputs: BESIDE.map((descriptor) => (chunk: Buffer) => this.#keep(descriptor, chunk)),
      })
      return { end: 'exit', tail: '' }
    } catch (error) {
      if (error instanceof ProgramError) return { end: error.end, tail: error.tail }
      if (error instanceof LiveSourceError || error instanceof OutboundError)
        return { end: 'source', tail: error.message }
      return { end: 'killed', tail: error instanceof Error ? error.message : '' }
    } finally {
      opened?.input?.destroy()
      opened?.close?.()
    }
  }

  #say(bytes: Buffer): void {
    if (this.#messages.length + bytes.length <= MOST_MESSAGES_BYTES)
      this.#messages = Buffer.concat([this.#messages, bytes])
    this.#reader?.take({ descriptor: DESCRIPTOR.messages, number: this.#count, bytes, at: performance.now() })
  }

  #push(chunk: Buffer): void {
    this.#rest.push(chunk)
    this.#restLength += chunk.length
    for (let box = this.#nextBox(); box !== undefined; box = this.#nextBox()) this.#take(box)
  }

  #nextBox(): Buffer | undefined {
    if (this.#restLength < 8) return undefined
    let [first = Buffer.alloc(0)] = this.#rest
    if (first.length < 8) first = this.#joinRest()
    const size = first.readUInt32BE(0)
    if (size < 8 || size > LARGEST_BOX) {
      this.#stopping.abort(new Error(`a box of ${size} bytes`))
      this.#restLength = 0
      return undefined
    }
    if (this.#restLength < size) return undefined
    if (first.length < size) first = this.#joinRest()
    this.#rest[0] = first.subarray(size)
    this.#restLength -= size
    return first.subarray(0, size)
  }

  #joinRest(): Buffer {
    const all = Buffer.concat(this.#rest)
    this.#rest = [all]
    return all
  }

  #take(box: Buffer): void {
    const type = box.toString('latin1', 4, 8)
    if (type === 'ftyp' || type === 'moov') {
      this.#header.push(box)
      if (type === 'moov') this.#reader?.take(this.#headerPiece())
      return
    }
    this.#fragment.push(box)
    if (type !== 'mdat') return
    const fragment = Buffer.concat(this.#fragment)
    this.#fragment = []
    this.#count++
    this.#keep(DESCRIPTOR.media, fragment)
  }

  #headerPiece(): OutputPiece {
    const bytes = Buffer.concat(this.#header)
    return { descriptor: DESCRIPTOR.media, number: 0, bytes, at: performance.now() }
  }

  #keep(descriptor: number, bytes: Buffer): void {
    const piece = { descriptor, number: this.#count, bytes, at: performance.now() }
    this.#pieces.push(piece)
    this.#bytes += bytes.length
    while (this.#bytes > MOST_KEPT_BYTES || piece.at - (this.#pieces[0]?.at ?? piece.at) > MOST_KEPT_MS)
      this.#bytes -= this.#pieces.shift()?.bytes.length ?? 0
    this.#reader?.take(piece)
  }
}

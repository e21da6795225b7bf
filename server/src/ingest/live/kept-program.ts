import { performance } from 'node:perf_hooks'
import { OutboundError } from '../../outbound/fetch-outside.ts'
import { ProgramError, runProgram } from '../run-program.ts'
import { sourceArguments } from './live-source.ts'
import { LiveSourceError } from './source-error.ts'
import type { OpenSource, ProgramStart, SourceRequest } from './source-request.ts'

/** Limits of an ffmpeg that receives a live input. */
export const LIVE_LIMITS = { wallSeconds: Infinity, memoryBytes: 4e9, outputBytes: Infinity }

/** File descriptors of ffmpeg: media, messages, and the first of the side outputs. */
export const DESCRIPTOR = { media: 1, messages: 2, beside: 3 } as const

/** Descriptors of the side outputs: teletext, and marks of advertisements. */
const BESIDE = [DESCRIPTOR.beside, DESCRIPTOR.beside + 1]

/** A piece of the output of a kept program. */
export interface OutputPiece {
  /** File descriptor to which ffmpeg wrote the piece. A piece of the media is the header or one fragment. */
  descriptor: number
  /** Fragments count from 1. Other pieces have the number of the fragment before them, and headers 0. */
  number: number
  bytes: Buffer
  /** When the piece was complete, by `performance.now()`. */
  at: number
}

/**
 * How a kept program ended: `taken` if another reader took it over, `source` if its source could not be opened or must
 * not be read. Then `tail` is the reason.
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

/** How long a program continues without a reader, in milliseconds: enough for a process to start again. */
export const ALONE_MS = 20_000

const TAKEN: ProgramResult = { end: 'taken', tail: '' }

/** Maximum output that is kept for the next reader: its duration in milliseconds, and its size in bytes. */
const MOST_KEPT_MS = 20_000
export const MOST_KEPT_BYTES = 64 * 1024 * 1024
/** Maximum size of the kept messages, in bytes. The first ones are kept, because they list the streams. */
const MOST_MESSAGES_BYTES = 512 * 1024
/** Largest box of ffmpeg's output, in bytes, as in `FragmentReader`. */
const LARGEST_BOX = 32 * 1024 * 1024

/**
 * An ffmpeg that receives a live input, with its latest output. A new reader gets the first messages, the header, and
 * all fragments that the previous reader has not released. So a process that is killed loses no media.
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
  /** Id of the newest reader, which may have left. */
  #newestReader: string | undefined
  /** Ends the program while it has no reader. */
  #ending: NodeJS.Timeout | undefined
  /** The incomplete end of the media. */
  #rest: Buffer[] = []
  #restLength = 0
  /** Boxes of the fragment that is not complete yet. */
  #fragment: Buffer[] = []
  readonly #open: (request: SourceRequest, signal: AbortSignal) => Promise<OpenSource>

  /** @param open opens a source before the program starts */
  constructor(
    start: ProgramStart,
    open: (request: SourceRequest, signal: AbortSignal) => Promise<OpenSource>,
  ) {
    this.start = start
    this.#open = open
    this.ended = this.#run()
  }

  /** The first messages of the program. */
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

  /** Tells the reader that another one has the input now. */
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

  /** Drops the fragments up to `number`, which no reader needs again. */
  release(number: number): void {
    // Subtitles and marks may belong to a later segment than the media that arrived with them.
    this.#pieces = this.#pieces.filter(
      (piece) => piece.number > number || piece.descriptor !== DESCRIPTOR.media,
    )
    this.#bytes = this.#pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  /**
   * Whether no reader came after this one. A reader may still release output after it has left, because it stores
   * output later.
   */
  isNewest(id: string): boolean {
    return this.#newestReader === id
  }

  /** Ends the program. */
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
        arguments: words,
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

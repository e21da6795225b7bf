import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isErrno } from '../../is-errno.ts'
import { ProgramError } from '../run-program.ts'
import { type Frame, FrameReader } from './keeper-frames.ts'
import { DESCRIPTOR, type ProgramResult } from './kept-program.ts'
import { LiveSourceError } from './source-error.ts'
import type { ProgramStart } from './source-request.ts'

const PROCESS = fileURLToPath(new URL('../../keeper-process.ts', import.meta.url))

/** Interval between calls to a keeper that is starting, in milliseconds, and the maximum number of calls. */
const CALL_MS = 25
const MOST_CALLS = 400

/** Least time between two starts of a keeper that ends at once, in milliseconds. */
const START_PAUSE_MS = 2000

/** The next keeper starts a new log if the log is larger than this, in bytes. */
const MOST_LOG_BYTES = 256 * 1024

/** How long a keeper may take to answer a call, and to end a program, in milliseconds. */
const ANSWER_MS = 5000

/** Errors of a call to a keeper that is not there, or that ends. */
const ABSENT = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET']

/** Result of an ffmpeg whose keeper was lost. */
const KEEPER_LOST: ProgramResult = { end: 'killed', tail: '' }

/** How a piece of output arrived. */
export interface Arrival {
  /** How long ago the piece arrived, in milliseconds. */
  ageMs: number
  /** Releases this piece and all pieces before it, so that they are not received again. */
  release: () => void
}

/** A run of an ffmpeg that writes a live input to its standard output. */
export interface LiveRun {
  start: ProgramStart
  /** Ends the run, which then throws the reason of the signal. */
  signal: AbortSignal
  onOutput: (chunk: Buffer, arrival: Arrival) => void
  /** Receives the text that ffmpeg writes to its standard error. */
  onMessages: (text: string) => void
  /** Functions that receive the side outputs: the data that ffmpeg writes to the file descriptors from 3 on. */
  sideOutputs: readonly ((chunk: Buffer) => void)[]
}

/** Thrown when another reader has taken over the ffmpeg. */
export class TakenOverError extends Error {
  override name = 'TakenOverError'
}

/** The ffmpeg of one address. It keeps running while this process is replaced. */
export interface KeptInput {
  /** Returns the first messages of the running ffmpeg; empty if none runs. */
  messages(): Promise<string>
  /**
   * Continues with the running ffmpeg if it was started in the same way. Otherwise starts another one.
   *
   * @throws ProgramError when it fails; TakenOverError when another process continues with it; SourceError when the
   * source cannot be opened, or when the keeper does not answer or cannot be started
   */
  run(run: LiveRun): Promise<void>
  /** Ends the reception of a source that stays open between two runs. Does nothing if another process has the input. */
  release(): void
}

type PieceFrame = Extract<Frame, { kind: 'piece' }>

/**
 * Runs the ffmpegs of live inputs in a process of their own, which outlives this one for a while. After a kill, the
 * next process of this machine continues with the same ffmpegs, and with the media that they received meanwhile
 * (docs/decisions/0088).
 */
export class Keeper {
  readonly #path: string
  readonly #isService: boolean
  /** The keeper, if this process has started it. */
  #process: ChildProcess | undefined
  /** When a keeper may be started again, by `performance.now()`. */
  #startableAt = 0
  /** Whether the next process continues with the programs. */
  #isLeaving = false
  /** Calls of `#tell` that are not complete yet. */
  readonly #telling = new Set<Promise<void>>()

  /**
   * @param path of the keeper's socket
   * @param options.isService whether the keeper is a service of its own, which this process does not start
   */
  constructor(path: string, { isService = false } = {}) {
    this.#path = path
    this.#isService = isService
  }

  /** Path of the log of keepers: when they began and ended, and why they could not start. */
  get log(): string {
    return join(dirname(this.#path), 'keeper.log')
  }

  /** Returns the input that is kept under a name. */
  input(name: string): KeptInput {
    let path: string | undefined
    return {
      messages: async () => await this.#messages(name),
      run: async (run) => {
        path = `/${name}/${randomUUID()}`
        await this.#run(path, run)
      },
      release: () => {
        if (path !== undefined && !this.#isLeaving) this.#tell('DELETE', `${path}/source`)
      },
    }
  }

  /** Leaves the programs to the next process. From now on, a run whose signal aborts does not end its program. */
  leave(): void {
    this.#isLeaving = true
  }

  /** Waits until all releases have reached the keeper. */
  async settled(): Promise<void> {
    await Promise.all(this.#telling)
  }

  /**
   * Returns the number of programs that the keeper runs; undefined if there is no keeper.
   *
   * @throws SourceError if the keeper does not answer
   */
  async programs(): Promise<number | undefined> {
    return await this.#ofAll('GET')
  }

  /**
   * Ends all programs, also those that other processes read. A keeper that is not a service ends too.
   *
   * @returns false if there is no keeper
   * @throws SourceError if the keeper does not answer
   */
  async end(): Promise<boolean> {
    return (await this.#ofAll('DELETE')) !== undefined
  }

  /** Makes a call about all programs. @returns how many there are then; undefined without a keeper */
  async #ofAll(method: string): Promise<number | undefined> {
    try {
      return Number(await text(await this.#call(method, '/', '')))
    } catch (error) {
      if (isErrno(error, ...ABSENT)) return undefined
      throw error
    }
  }

  async #messages(name: string): Promise<string> {
    try {
      return await text(await this.#call('GET', `/${name}`, ''))
    } catch (error) {
      if (isErrno(error, ...ABSENT)) return ''
      throw error
    }
  }

  async #run(path: string, { start, signal, ...outputs }: LiveRun): Promise<void> {
    signal.throwIfAborted()
    const response = await this.#ask('POST', path, JSON.stringify(start), signal)
    // The reason of the signal is thrown where the response is read.
    const leave = (): void => void response.destroy(signal.reason as Error)
    let leaving: NodeJS.Timeout | undefined
    // The keeper ends the response once the program is gone, so that its port is free. A keeper that hangs, or whose
    // socket was removed, does not: then the program ends when it has had no reader for a while.
    const stop = (): void => {
      if (this.#isLeaving) return leave()
      leaving = setTimeout(leave, ANSWER_MS)
      this.#tell('DELETE', path)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    const messages = new StringDecoder()
    const take = ({ descriptor, number, ageMs, bytes }: PieceFrame): void => {
      if (descriptor === DESCRIPTOR.messages) outputs.onMessages(messages.write(bytes))
      else if (descriptor !== DESCRIPTOR.media) outputs.sideOutputs[descriptor - DESCRIPTOR.beside]?.(bytes)
      else outputs.onOutput(bytes, { ageMs, release: () => this.#tell('PUT', `${path}/${number}`) })
    }
    const { end, tail } = await read(response, take).finally(() => {
      clearTimeout(leaving)
      signal.removeEventListener('abort', stop)
    })
    signal.throwIfAborted()
    if (end === 'taken') throw new TakenOverError('another process receives this input')
    if (end === 'source') throw new LiveSourceError(tail)
    if (end !== 'exit' || tail !== '') throw new ProgramError('ffmpeg', end, tail)
  }

  /** Makes a call without waiting for its answer. */
  #tell(method: string, path: string): void {
    const telling = this.#told(method, path).finally(() => this.#telling.delete(telling))
    this.#telling.add(telling)
  }

  /** Makes a call that may come too late: the program, or the keeper, may be gone. */
  async #told(method: string, path: string): Promise<void> {
    try {
      const response = await this.#call(method, path, '')
      response.resume()
    } catch (error) {
      if (!(error instanceof LiveSourceError || (error instanceof Error && 'code' in error))) throw error
    }
  }

  /**
   * Makes a call, and starts the keeper if there is none.
   *
   * @throws SourceError if the keeper is a service that does not run, or cannot be started
   */
  async #ask(method: string, path: string, body: string, signal: AbortSignal): Promise<IncomingMessage> {
    for (let calls = 1; ; calls++) {
      signal.throwIfAborted()
      try {
        return await this.#call(method, path, body)
      } catch (error) {
        if (!isErrno(error, ...ABSENT)) throw error
        if (calls === MOST_CALLS)
          throw new LiveSourceError(`the keeper of live inputs cannot be started: ${this.log} says why`)
        if (this.#isService) throw new LiveSourceError('the keeper of live inputs does not run')
        this.#start()
        await pause(CALL_MS)
      }
    }
  }

  /** Starts the keeper once. The new keeper ends at once if another process has started one meanwhile. */
  #start(): void {
    if (this.#process || performance.now() < this.#startableAt) return
    this.#startableAt = performance.now() + START_PAUSE_MS
    const log = openLog(this.log)
    this.#process = spawn(process.execPath, [PROCESS, this.#path], {
      detached: true,
      stdio: ['ignore', log, log],
      env: pick(process.env, ['PATH', 'NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS']),
    })
    const forget = (): void => {
      this.#process = undefined
    }
    this.#process.once('error', forget).once('exit', forget).unref()
    closeSync(log)
  }

  /** @throws SourceError if the keeper does not answer */
  async #call(method: string, path: string, body: string): Promise<IncomingMessage> {
    return await new Promise((resolve, reject) => {
      const call = request({ socketPath: this.#path, method, path, agent: false })
      const late = setTimeout(
        () => call.destroy(new LiveSourceError('the keeper of live inputs does not answer')),
        ANSWER_MS,
      )
      call.once('response', resolve).once('error', reject)
      for (const event of ['response', 'close']) call.once(event, () => clearTimeout(late))
      call.end(body)
    })
  }
}

/** Returns the variables of an environment with these names. */
function pick(environment: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, environment[name]]))
}

/** Opens the log of keepers to append to it. */
function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return openSync(path, size > MOST_LOG_BYTES ? 'w' : 'a', 0o600)
}

/** Reads the frames of a response. @returns how the program ended */
async function read(response: IncomingMessage, onPiece: (piece: PieceFrame) => void): Promise<ProgramResult> {
  const reader = new FrameReader()
  let result = KEEPER_LOST
  try {
    for await (const chunk of response) {
      for (const frame of reader.push(chunk as Buffer)) {
        if (frame.kind === 'piece') onPiece(frame)
        else ({ result } = frame)
      }
    }
  } catch (error) {
    // The keeper was killed, or another process has taken the input over.
    if (!isErrno(error, 'ECONNRESET')) throw error
  }
  return result
}

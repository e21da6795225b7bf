import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isErrno } from '../../is-errno.ts'
import { ProgramError } from '../run-program.ts'
import { type Frame, FrameReader } from './keeper-frames.ts'
import { openLog } from './keeper-log.ts'
import { DESCRIPTOR, type ProgramResult } from './kept-program.ts'
import { LiveSourceError } from './source-error.ts'
import type { ProgramStart } from './source-request.ts'

const PROCESS = fileURLToPath(new URL('../../keeper-process.ts', import.meta.url))

/** Interval between calls to a keeper that is starting, in milliseconds, and the maximum number of these calls. */
const CALL_MS = 25
const MOST_CALLS = 400

/** Least time between two starts of a keeper that ends at once, in milliseconds. */
const START_PAUSE_MS = 2000

/** Time limit for a keeper to answer a call, and to end a program, in milliseconds. */
const ANSWER_MS = 5000

/** Errors of a call to a keeper that does not run, or that is ending. */
const ABSENT = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET']

/** Result of an ffmpeg whose keeper was lost. */
const KEEPER_LOST: ProgramResult = { end: 'killed', tail: '' }

/** The arrival of a piece of output. */
export interface Arrival {
  /** Time since the piece arrived, in milliseconds. */
  ageMs: number
  /** Releases this piece and all earlier pieces, so that the keeper does not send them again. */
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

/** The ffmpeg of one input. It keeps running while this process is replaced. */
export interface KeptInput {
  /** Returns the first messages of the running ffmpeg; empty if none runs. */
  messages(): Promise<string>
  /**
   * Continues with the running ffmpeg if it was started in the same way, with the same arguments or source. Otherwise
   * starts another ffmpeg.
   *
   * @throws ProgramError when ffmpeg fails
   * @throws TakenOverError when another process continues with this ffmpeg
   * @throws LiveSourceError when the source cannot be opened, or when the keeper does not answer or cannot be started
   */
  run(run: LiveRun): Promise<void>
  /**
   * Ends the reception of a source that stays open between two runs. Does nothing if another process has taken
   * over the input.
   */
  release(): void
  /**
   * Leaves the program and its source to the next reader. From now on, aborting a run does not end its program, and
   * `release` does nothing.
   */
  leave(): void
}

type PieceFrame = Extract<Frame, { kind: 'piece' }>

/**
 * Runs the ffmpegs of live inputs in a separate process, which outlives this process for a while. If this process is
 * killed, the next process on this machine continues with the same ffmpegs, and also receives the media that arrived
 * while no process was reading (docs/decisions/0088).
 */
export class Keeper {
  readonly #path: string
  readonly #isService: boolean
  /** The keeper's process, if this process has started it. */
  #process: ChildProcess | undefined
  /** Value of `performance.now()` from which a keeper may be started again. */
  #startableAt = 0
  /** Calls of `#tell` that are not complete yet. */
  readonly #telling = new Set<Promise<void>>()

  /**
   * @param path path of the keeper's socket
   * @param options.isService whether the keeper is a separate service, which this process must not start
   */
  constructor(path: string, { isService = false } = {}) {
    this.#path = path
    this.#isService = isService
  }

  /** Path of the keepers' log, which says when each keeper began and ended, and why a start failed. */
  get log(): string {
    return join(dirname(this.#path), 'keeper.log')
  }

  /** Returns the input with a name. */
  input(name: string): KeptInput {
    let path: string | undefined
    let isLeft = false
    return {
      messages: async () => await this.#messages(name),
      run: async (run) => {
        path = `/${name}/${randomUUID()}`
        await this.#run(path, run, () => isLeft)
      },
      release: () => {
        if (path !== undefined && !isLeft) this.#tell('DELETE', `${path}/source`)
      },
      leave: () => {
        isLeft = true
      },
    }
  }

  /** Waits until all releases have reached the keeper. */
  async settled(): Promise<void> {
    await Promise.all(this.#telling)
  }

  /**
   * Returns the number of programs that the keeper runs; undefined if no keeper runs.
   *
   * @throws LiveSourceError if the keeper does not answer
   */
  async programs(): Promise<number | undefined> {
    return await this.#ofAll('GET')
  }

  /**
   * Ends all programs, including those of other processes. The keeper then ends too, unless it is a separate
   * service.
   *
   * @returns false if no keeper runs
   * @throws LiveSourceError if the keeper does not answer
   */
  async end(): Promise<boolean> {
    return (await this.#ofAll('DELETE')) !== undefined
  }

  /**
   * Makes a call about all programs. @returns the number of programs after the call; undefined if no keeper runs
   */
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

  async #run(path: string, { start, signal, ...outputs }: LiveRun, isLeft: () => boolean): Promise<void> {
    signal.throwIfAborted()
    const response = await this.#ask('POST', path, JSON.stringify(start), signal)
    // `read` below throws the signal's reason.
    const leave = (): void => void response.destroy(signal.reason as Error)
    let leaving: NodeJS.Timeout | undefined
    // The keeper ends the response when the program has ended and its port is free. A keeper that hangs, or whose
    // socket was removed, does not end the response. In that case this process disconnects, and the program ends
    // after some time without a reader.
    const stop = (): void => {
      if (isLeft()) return leave()
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

  /** Makes a call in the background. */
  #tell(method: string, path: string): void {
    const telling = this.#told(method, path).finally(() => this.#telling.delete(telling))
    this.#telling.add(telling)
  }

  /** Makes a call. Ignores failures, because the program or the keeper may have ended meanwhile. */
  async #told(method: string, path: string): Promise<void> {
    try {
      const response = await this.#call(method, path, '')
      response.resume()
    } catch (error) {
      if (!(error instanceof LiveSourceError || (error instanceof Error && 'code' in error))) throw error
    }
  }

  /**
   * Makes a call, and starts the keeper if none runs.
   *
   * @throws LiveSourceError if the keeper is a service that does not run, or cannot be started
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

  /** Starts the keeper once. If another process has started a keeper meanwhile, the new keeper ends at once. */
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

  /** @throws LiveSourceError if the keeper does not answer */
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

/** Returns the environment variables with these names. */
function pick(environment: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, environment[name]]))
}

/** Reads the frames of a response. @returns the program's result */
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
    // The keeper was killed, or another process has taken over the input.
    if (!isErrno(error, 'ECONNRESET')) throw error
  }
  return result
}

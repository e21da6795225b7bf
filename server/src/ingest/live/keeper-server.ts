import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { writeFrame } from './keeper-frames.ts'
import { ALONE_MS, KeptProgram, MOST_KEPT_BYTES, type PieceReader } from './kept-program.ts'
import type { ProgramStart, Sources } from './source-request.ts'

/** Time without a program after which the keeper ends, in milliseconds. */
const IDLE_MS = 5000
/**
 * Maximum output that waits for a slow reader, in bytes. A reader that exceeds the limit is disconnected. The
 * limit is more than the output kept for a new reader.
 */
const MOST_WAITING_BYTES = 2 * MOST_KEPT_BYTES

/** The ffmpegs that a keeper runs. */
export interface KeptPrograms {
  /**
   * Ends all programs, and then closes the server. Must be called before this process ends: without `setpriv` (as on
   * macOS), the programs would otherwise outlive this process.
   */
  close(): Promise<void>
}

/**
 * Runs the ffmpegs of live inputs, and serves their output to the process that reads it:
 * - `POST /{name}/{reader}` continues the running ffmpeg of an input if it was started in the same way. Otherwise it
 *   starts another ffmpeg. The response is the output of ffmpeg.
 * - `GET /{name}` returns the first messages of the ffmpeg.
 * - `PUT /{name}/{reader}/{number}` releases output up to a fragment.
 * - `DELETE /{name}/{reader}` ends the ffmpeg, unless another reader has taken it over.
 * - `DELETE /{name}/{reader}/source` ends the reception of the source of that name.
 * - `GET /` returns the number of programs, and `DELETE /` ends all of them.
 *
 * @param onIdle called after some time without a program
 */
export function serveKeptPrograms(server: Server, sources: Sources, onIdle?: () => void): KeptPrograms {
  const programs = new Map<string, KeptProgram>()
  /** The newest reader of each input whose source is open. */
  const readers = new Map<string, string>()
  let isEnding = false
  let idle = setTimeout(end, IDLE_MS)

  function end(): void {
    if (!onIdle || isEnding) return
    clearTimeout(idle)
    isEnding = true
    onIdle()
  }

  async function open(
    name: string,
    id: string,
    start: ProgramStart,
    response: ServerResponse,
  ): Promise<void> {
    const wanted = describe(start)
    let running = programs.get(name)
    // A loop, because another process may start a further program while this one ends.
    while (running && describe(running.start) !== wanted) {
      running.takeOver()
      await running.stop()
      running = programs.get(name)
    }
    // The requesting process may have been killed meanwhile.
    if (response.destroyed) return
    // The server is closing, so a later process could not reach a new program. The caller then starts another
    // keeper.
    if (isEnding) response.destroy()
    else {
      readers.set(name, id)
      attach(running ?? begin(name, start), id, response)
    }
  }

  function begin(name: string, start: ProgramStart): KeptProgram {
    clearTimeout(idle)
    const program = new KeptProgram(
      start,
      async (request, signal) => await sources.open(name, request, signal),
    )
    programs.set(name, program)
    void forget(name, program)
    return program
  }

  /**
   * Removes a program from the list once it has ended. If it was the last program, the waiting time before `onIdle`
   * begins.
   */
  async function forget(name: string, program: KeptProgram): Promise<void> {
    await program.ended
    if (programs.get(name) !== program) return
    programs.delete(name)
    if (!sources.has(name)) return release(name)
    // The source is still open: an RTMP sender stays connected while its ffmpeg is restarted. Releases the source
    // later if no ffmpeg has started for it by then.
    setTimeout(() => {
      if (!programs.has(name)) release(name)
    }, ALONE_MS).unref()
  }

  function release(name: string): void {
    sources.release(name)
    readers.delete(name)
    if (programs.size > 0 || isEnding) return
    clearTimeout(idle)
    idle = setTimeout(end, IDLE_MS)
  }

  async function stopAll(): Promise<void> {
    await Promise.all([...programs.values()].map(async (program) => await program.stop()))
    for (const name of readers.keys()) release(name)
  }

  server.on('request', (incoming, response) => {
    // An error means that the sender of the request was killed before the request was complete.
    answer(incoming, response).catch(() => response.destroy())
  })

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = '', id = '', number] = (incoming.url ?? '').split('/')
    const body = await text(incoming)
    if (incoming.method === 'POST') {
      // `Keeper` wrote the body, so the cast is safe.
      await open(name, id, JSON.parse(body) as ProgramStart, response)
      return
    }
    if (name === '') {
      if (incoming.method === 'DELETE') await stopAll()
      response.end(`${programs.size}`)
      // Another process may have started a program meanwhile.
      if (incoming.method === 'DELETE' && programs.size === 0) end()
      return
    }
    const program = programs.get(name)
    if (incoming.method === 'DELETE' && number === 'source') {
      if (readers.get(name) === id) release(name)
      response.end()
      return
    }
    if (incoming.method === 'GET') response.write(program?.messages ?? '')
    if (incoming.method === 'PUT' && program?.isNewest(id)) program.release(Number(number))
    if (incoming.method === 'DELETE' && program?.isNewest(id)) await program.stop()
    response.end()
  }

  return {
    close: async () => {
      isEnding = true
      clearTimeout(idle)
      await stopAll()
      server.close()
    },
  }
}

/**
 * Describes how a program was started. Without how much it read first: a process that continues with a running program
 * does not know that.
 */
function describe(start: ProgramStart): string {
  return JSON.stringify({ ...start, probeSeconds: undefined })
}

/** Sends the output of a program until the program ends or the reader disconnects. */
function attach(program: KeptProgram, id: string, response: ServerResponse): void {
  response.flushHeaders()
  const reader: PieceReader = {
    id,
    take: ({ at, ...piece }) => {
      if (response.writableLength > MOST_WAITING_BYTES) response.destroy()
      else response.write(writeFrame({ kind: 'piece', ...piece, ageMs: performance.now() - at }))
    },
    end: (result) => response.end(writeFrame({ kind: 'end', result })),
  }
  program.attach(reader)
  response.once('close', () => program.detach(reader))
}

import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, writeFileSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isErrno } from '../is-errno.ts'
import { IngestError, type Reason } from './reasons.ts'

/** Limits of a program. A program that exceeds one of them is killed. */
export interface ProgramLimits {
  /** Maximum run time in seconds; `Infinity` for a program that runs until it is stopped. */
  wallSeconds: number
  /** Maximum size of the address space, in bytes. */
  memoryBytes: number
  /** Maximum size of the program's standard output, in bytes. */
  outputBytes: number
}

export interface ProgramRun {
  /** A name to look up in PATH, or an absolute path. */
  program: string
  arguments: readonly string[]
  /** Working folder. */
  folder?: string
  signal: AbortSignal
  limits: ProgramLimits
  /** Receives the standard output as it arrives. If omitted, the output is collected and returned. */
  onOutput?: (chunk: Buffer) => void
  /** Standard input. If reading it fails, the program is killed and the error of `input` is thrown. */
  input?: Readable | undefined
  /** Variables that are added to the environment. */
  environment?: Readonly<Record<string, string>> | undefined
  /** Receives the text of the program's standard error as it arrives. */
  onMessages?: (text: string) => void
  /** Functions that receive the program's output on the file descriptors from 3 on, as it arrives. */
  sideOutputs?: readonly ((chunk: Buffer) => void)[]
  /** Whether the program runs at the service's priority, because its input cannot wait. */
  isUrgent?: boolean
}

export type ProgramEnd = 'exit' | 'killed' | 'time' | 'output' | 'missing'

/** Thrown for a program that failed or was killed. */
export class ProgramError extends Error {
  override name = 'ProgramError'
  readonly end: ProgramEnd
  /** The last lines of the program's standard error. */
  readonly tail: string

  constructor(program: string, end: ProgramEnd, tail: string) {
    super(`${program}: ${end}${tail === '' ? '' : `: ${tail}`}`)
    this.end = end
    this.tail = tail
  }
}

const TAIL_CHARACTERS = 4000

/** Errors of writing to a program that has ended. */
const CLOSED = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED']

/**
 * Niceness of the program and of its Linux session; the maximum is 19. On a busy processor, the service at niceness 0
 * gets about nine times as much time.
 */
const NICENESS = 10
/** Pause before the priority of a Linux session is written again after a failure, in milliseconds. */
const SESSION_RETRY_MS = 150

/**
 * Runs a program within limits, at low priority unless it is urgent, and returns its standard output. No shell
 * interprets the arguments. The environment contains only the search path, the locale, a log setting and
 * `environment`. When `signal` aborts, kills the whole process group and throws the signal's reason. If `setpriv`
 * is installed, the program does not outlive this process either.
 *
 * @throws {ProgramError} when the program exits with a status other than 0 or exceeds a limit
 * @throws {Error} an error of the system if the program cannot be started
 */
export async function runProgram(run: ProgramRun): Promise<Buffer> {
  run.signal.throwIfAborted()
  const { sideOutputs = [] } = run
  const path = process.env.PATH ?? '/usr/bin:/bin'
  if (!isInstalled(run.program, path)) throw new ProgramError(run.program, 'missing', '')
  const [command = run.program, ...words] = [...wrapping(path, run), run.program, ...run.arguments]
  const child = spawn(command, words, {
    cwd: run.folder,
    env: { PATH: path, LC_ALL: 'C.UTF-8', AV_LOG_FORCE_NOCOLOR: '1', ...run.environment },
    stdio: [run.input ? 'pipe' : 'ignore', 'pipe', 'pipe', ...sideOutputs.map(() => 'pipe' as const)],
    // Starts a separate process group, so that a kill also reaches the children of the program.
    detached: true,
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(withoutArguments(error)))
    child.once('close', resolve)
  })
  // The program could not be started, and may have no streams.
  if (child.pid === undefined) await ended
  if (!run.isUrgent) lowerSession(child)

  let end: ProgramEnd = 'exit'
  const kill = (): void => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch (error) {
      // The program may have ended between the check and the kill.
      if (!isErrno(error, 'ESRCH')) throw error
    }
  }
  const stop = (why: ProgramEnd): void => {
    end = why
    kill()
  }
  const timer = Number.isFinite(run.limits.wallSeconds)
    ? setTimeout(stop, run.limits.wallSeconds * 1000, 'time')
    : undefined
  run.signal.addEventListener('abort', kill, { once: true })

  const chunks: Buffer[] = []
  let written = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    written += chunk.length
    if (written > run.limits.outputBytes) stop('output')
    else if (run.onOutput) run.onOutput(chunk)
    else chunks.push(chunk)
  })
  for (const [index, take] of sideOutputs.entries()) child.stdio[3 + index]?.on('data', take)
  let tail = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-TAIL_CHARACTERS)
    run.onMessages?.(chunk)
  })

  let inputFailure: { error: unknown } | undefined
  if (run.input && child.stdin)
    pipeline(run.input, child.stdin).catch((error: unknown) => {
      // The program has ended before its input did.
      if (isErrno(error, ...CLOSED)) return
      inputFailure = { error }
      kill()
    })

  try {
    const status = await ended
    run.signal.throwIfAborted()
    if (inputFailure) throw inputFailure.error
    if (status !== 0 || end !== 'exit') {
      throw new ProgramError(run.program, status === null && end === 'exit' ? 'killed' : end, tail.trim())
    }
  } finally {
    clearTimeout(timer)
    run.signal.removeEventListener('abort', kill)
  }
  return Buffer.concat(chunks)
}

/**
 * Removes the arguments from the error of a program that could not be started. The error is logged, and the
 * arguments may contain secrets.
 */
function withoutArguments(error: Error & { spawnargs?: unknown }): Error {
  delete error.spawnargs
  return error
}

/** Converts a program's failure to a reason of the closed list. Returns `otherwise` if no reason is known. */
export function programReason(error: unknown, otherwise: Reason): unknown {
  if (!(error instanceof ProgramError)) return error
  if (error.end === 'missing') return new IngestError('programMissing', error.message, error)
  if (error.end === 'time') return new IngestError('tookTooLong', error.message, error)
  if (/No space left on device/i.test(error.tail)) return new IngestError('diskFull', '', error)
  if (/Cannot allocate memory|bad_alloc/i.test(error.tail)) return new IngestError('tooMuchMemory', '', error)
  return new IngestError(otherwise, error.tail.split('\n').at(-1) ?? '', error)
}

/**
 * Returns a command prefix that confines another program. The prefix limits the program's memory, lowers its priority
 * unless the program is urgent, and makes the kernel kill the program when this process dies in any way. It consists of
 * programs of util-linux and coreutils, and leaves out programs that are not installed on this machine.
 */
function wrapping(path: string, { limits, isUrgent = false }: ProgramRun): string[] {
  const low = [
    // A program with the scheduling policy SCHED_IDLE runs only when a processor has nothing else to do, and gives
    // way at once (sched(7)). Niceness alone is not enough: when the service wakes up, a program of low priority
    // keeps its processor for some milliseconds.
    ['chrt', '--idle', '0'],
    ['nice', '-n', `${NICENESS}`],
    // The lowest priority of the best-effort class. In the idle class, the program would never run on a busy disk.
    ['ionice', '-t', '-c', '2', '-n', '7'],
  ]
  return [
    ['setpriv', '--pdeathsig', 'KILL'],
    ['prlimit', `--as=${limits.memoryBytes}`, '--core=0'],
    ...(isUrgent ? [] : low),
  ].flatMap((words) => (isInstalled(words[0] ?? '', path) ? words : []))
}

/**
 * Lowers the priority of the Linux session of a program. If Linux groups processes by session (see sched(7), "The
 * autogroup feature"), it first divides the processor time among sessions. A program in a separate session would then
 * get as much time as the service, regardless of its niceness.
 */
function lowerSession(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return
  try {
    writeFileSync(`/proc/${child.pid}/autogroup`, `${NICENESS}`)
  } catch (error) {
    // EAGAIN: other users than root may write only one priority per 100 ms, on the whole machine.
    if (isErrno(error, 'EAGAIN')) setTimeout(lowerSession, SESSION_RETRY_MS, child).unref()
    // Other errors of the system mean that it does not group by session, or that the program has ended.
    else if (!(error instanceof Error)) throw error
  }
}

const installed = new Set<string>()

function isInstalled(program: string, path: string): boolean {
  if (installed.has(program)) return true
  const found = isAbsolute(program)
    ? isExecutable(program)
    : path.split(delimiter).some((folder) => isExecutable(join(folder, program)))
  // Only installed programs are cached: a missing program may be installed while the service runs.
  if (found) installed.add(program)
  return found
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}

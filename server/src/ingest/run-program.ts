import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, writeFileSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isErrno } from '../is-errno.ts'
import { IngestError, type Reason } from './reasons.ts'

/** Limits of a program. It is killed when it exceeds them. */
export interface ProgramLimits {
  /** `Infinity` for a program that runs until it is stopped. */
  wallSeconds: number
  /** Address space. */
  memoryBytes: number
  /** Maximum size of its standard output, in bytes. */
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
  /** Standard input. If it fails, the program is killed, and its error is thrown. */
  input?: Readable | undefined
  /** Variables that are added to the environment. */
  environment?: Readonly<Record<string, string>> | undefined
  /** Receives the text that the program writes to its standard error, as it arrives. */
  onMessages?: (text: string) => void
  /** Functions that receive what the program writes to the file descriptors from 3 on, as it arrives. */
  sideOutputs?: readonly ((chunk: Buffer) => void)[]
  /** Whether the program runs at the priority of the service, because its input cannot wait. */
  isUrgent?: boolean
}

export type ProgramEnd = 'exit' | 'killed' | 'time' | 'output' | 'missing'

/** A program that failed or was killed. */
export class ProgramError extends Error {
  override name = 'ProgramError'
  readonly end: ProgramEnd
  /** The last lines of its standard error. */
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
 * Niceness of the program and of its session; the maximum is 19. The service, at 0, gets ten times as much of a busy
 * processor.
 */
const NICENESS = 10
/** Time until a failed write of a session's priority is tried again, in milliseconds. */
const SESSION_RETRY_MS = 150

/**
 * Runs a program at low priority unless it is urgent, within limits, and returns its standard output. No shell
 * interprets the arguments. The environment contains only the search path, the locale and a log setting. When `signal`
 * aborts, the whole process group is killed and the signal's reason is thrown. No program outlives this process either.
 *
 * @throws {ProgramError} when it exits with a status other than 0 or exceeds a limit. An error of the system if it
 * cannot be started.
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
  // The program could not be started, so it may have no streams.
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
      // The program ended before its input.
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
 * Removes the arguments from an error of a program that could not be started: they may contain secrets, and it is
 * logged.
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
 * Returns a command prefix that confines another program. It consists of those programs of util-linux and coreutils
 * that are installed on this machine. The kernel kills the confined program when this process dies in any way. The
 * memory of the confined program is limited, and its priority is low unless the program is urgent.
 */
function wrapping(path: string, { limits, isUrgent = false }: ProgramRun): string[] {
  const low = [
    // It runs when a processor has nothing else to do, and it gives way at once (sched(7), SCHED_IDLE). A program that
    // is only nice keeps a processor for some milliseconds when the service wakes up.
    ['chrt', '--idle', '0'],
    ['nice', '-n', `${NICENESS}`],
    // The lowest priority of the best-effort class. A program of the idle class would never run on a busy
    // disk.
    ['ionice', '-t', '-c', '2', '-n', '7'],
  ]
  return [
    ['setpriv', '--pdeathsig', 'KILL'],
    ['prlimit', `--as=${limits.memoryBytes}`, '--core=0'],
    ...(isUrgent ? [] : low),
  ].flatMap((words) => (isInstalled(words[0] ?? '', path) ? words : []))
}

/**
 * Lowers the priority of a program's session. If Linux groups processes by session (see sched(7), "The autogroup
 * feature"), it first divides the processor time between sessions. A program in a separate session would then get as
 * much time as the service, whatever its niceness.
 */
function lowerSession(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return
  try {
    writeFileSync(`/proc/${child.pid}/autogroup`, `${NICENESS}`)
  } catch (error) {
    // Only the administrator may write more than one priority in 100 ms, on the whole machine. So try again
    // later.
    if (isErrno(error, 'EAGAIN')) setTimeout(lowerSession, SESSION_RETRY_MS, child).unref()
    // Any other error means that the system does not group by session, or that the program has ended.
    else if (!(error instanceof Error)) throw error
  }
}

const installed = new Set<string>()

function isInstalled(program: string, path: string): boolean {
  if (installed.has(program)) return true
  const found = isAbsolute(program)
    ? isExecutable(program)
    : path.split(delimiter).some((folder) => isExecutable(join(folder, program)))
  // Only installed programs are cached. A missing one may be installed while the service runs.
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

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** A child process that a row of the benchmark starts. */
export interface Child {
  pid: number
  /**
   * Asks the process to end. Kills the process if it has not ended within the time that a service gets for its
   * shutdown.
   */
  stop(): Promise<void>
}

export interface ChildOptions {
  command: string
  arguments: readonly string[]
  environment?: Record<string, string>
  /** Pattern in the program's standard output that means that the program is ready. */
  ready: RegExp
  /** Maximum time until the program is ready, in seconds. */
  readySeconds?: number
}

const TAIL_CHARACTERS = 3000
const STOP_MS = 8000

const running = new Set<ChildProcess>()

// Ends all child processes when the benchmark ends, also after a signal.
process.once('exit', endAll)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

/**
 * Ends processes that a failed row has left running, because they would use processor time during the next row.
 */
export function endAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/**
 * Starts a program, and waits until its output shows that it is ready.
 * @returns the process, and the match of `ready`
 */
export async function startChild(options: ChildOptions): Promise<{ child: Child; match: RegExpExecArray }> {
  const { command, ready, readySeconds = 60 } = options
  const child = spawn(command, [...options.arguments], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let tail = ''
  const match = await new Promise<RegExpExecArray>((resolve, reject) => {
    const fail = (why: string) => {
      child.kill('SIGKILL')
      reject(new Error(`${command} ${options.arguments.join(' ')}: ${why}\n${tail}`))
    }
    const late = setTimeout(fail, readySeconds * 1000, `not ready after ${readySeconds} s`)
    const read = (chunk: string) => {
      tail = (tail + chunk).slice(-TAIL_CHARACTERS)
      const found = ready.exec(tail)
      if (found) {
        clearTimeout(late)
        resolve(found)
      }
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.once('error', (error) => fail(error.message))
    child.once('exit', (status) => {
      clearTimeout(late)
      fail(`ended with status ${status}`)
    })
  })
  if (child.pid === undefined) throw new Error(`${command} has no process.`)
  return { child: { pid: child.pid, stop: async () => await stop(child) }, match }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(late)
}

/** Returns the resident memory of a process in megabytes (10^6 bytes); NaN if the process has just ended. */
export function residentMB(pid: number): number {
  return memoryMB(pid, 'VmRSS')
}

/**
 * Returns the peak resident memory of a process in megabytes, as counted by the kernel; NaN if the process has
 * just ended.
 */
export function mostResidentMB(pid: number): number {
  return memoryMB(pid, 'VmHWM')
}

/** Returns the anonymous memory of a process in megabytes. It does not include mapped files. */
export function anonymousMB(pid: number): number {
  return memoryMB(pid, 'RssAnon')
}

function memoryMB(pid: number, field: 'VmRSS' | 'VmHWM' | 'RssAnon'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? []
  return (Number(kibibytes) * 1024) / 1e6
}

/** Returns the processor time that a process has used so far, in seconds. */
export function processorSeconds(pid: number): number {
  // The program's name is in parentheses and may contain spaces, so the fields are read after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Ticks per second in the kernel's processor times, on every supported Linux (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Report, Task } from './task.ts'

/**
 * Settings of malloc. They keep memory in the process that a frame has freed, for the next frame. By default every
 * frame's 3.7 MB return to the system and are mapped again page by page, which takes longer (10 ms) than drawing.
 */
const KEEP_MEMORY = {
  MALLOC_MMAP_THRESHOLD_: String(32 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(512 * 1024 * 1024),
  MALLOC_TOP_PAD_: String(64 * 1024 * 1024),
  MALLOC_ARENA_MAX: '2',
}

/** A child process that runs tasks: it draws pictures and makes films. */
export class MakerProcess {
  readonly #child: ChildProcess
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
  #finish: ((error: Error | null) => void) | null = null
  #onFrames: (done: number, total: number) => void = () => undefined

  constructor() {
    this.#child = fork(fileURLToPath(new URL('./maker.ts', import.meta.url)), {
      execArgv: [],
      env: { ...process.env, ...KEEP_MEMORY },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.ended = new Promise((resolve) => {
      // A process that fails to start emits `error`, but not `exit`.
      for (const event of ['exit', 'error']) this.#child.once(event, () => resolve())
    })
    this.#child.on('message', (report: Report) => {
      if (report.kind === 'frames') this.#onFrames(report.done, report.total)
      if (report.kind === 'done') this.#settle(null)
      if (report.kind === 'failed') this.#settle(new Error(report.message))
    })
    this.#child.on('exit', (code, signal) =>
      this.#settle(new Error(`A maker ended early (${signal ?? code})`)),
    )
    this.#child.on('error', (error) => this.#settle(error))
  }

  /** Runs a task. The previous task must have ended. */
  run(task: Task, onFrames: (done: number, total: number) => void): Promise<void> {
    this.#onFrames = onFrames
    return new Promise((resolve, reject) => {
      this.#finish = (error) => (error === null ? resolve() : reject(error))
      this.#child.send(task)
    })
  }

  /** Kills the process and its encoder. */
  end(): void {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGTERM')
  }

  #settle(error: Error | null): void {
    const finish = this.#finish
    this.#finish = null
    finish?.(error)
  }
}

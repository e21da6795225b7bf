import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { importProgress } from '@ondine/contract/imports'
import type { OutputOf } from '@ondine/contract/operation'

/** What starts the service and its commands. */
export const ONDINE = fileURLToPath(new URL('../../script/ondine', import.meta.url))

/** Often enough to lose no time, seldom enough to leave the processor to what is waited for. */
const POLL_MS = 200

/** A service in a process of its own, on a data folder of its own, as `script/start` runs it. */
export class Installation {
  readonly dataDir: string
  readonly #environment: Record<string, string>
  #process: ChildProcess | undefined
  #output = ''
  /** Where it answers. */
  origin = ''

  private constructor(dataDir: string, environment: Record<string, string>) {
    this.dataDir = dataDir
    this.#environment = environment
  }

  /** A new one in an empty folder; `environment` are its settings. */
  static async create(environment: Record<string, string> = {}): Promise<Installation> {
    return new Installation(await mkdtemp(join(tmpdir(), 'ondine-e2e-')), environment)
  }

  /** One whose folder stays, so that its library is made once only; end it with `kill`. */
  static async kept(dataDir: string, environment: Record<string, string> = {}): Promise<Installation> {
    await mkdir(dataDir, { recursive: true })
    return new Installation(dataDir, environment)
  }

  /** Another one with the same settings and a copy of all data, for which this one must have ended. */
  async copy(): Promise<Installation> {
    const other = await Installation.create(this.#environment)
    // To the nanosecond, as Node's own copy is not: a film whose time differs would be prepared again.
    await promisify(execFile)('cp', ['-a', `${this.dataDir}/.`, other.dataDir])
    return other
  }

  /** Starts it, and waits until it is ready to answer. */
  async start(): Promise<void> {
    const child = spawn(ONDINE, ['serve'], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        LOG_FORMAT: 'json',
        HOST: '127.0.0.1',
        // A test shares its machine with what it starts; being turned away is not what it is about.
        OVERLOAD_DELAY_MS: '0',
        DATA_DIR: this.dataDir,
        // Any that is free: one chosen here might be taken by the time the service is there.
        PORT: '0',
        ...this.#environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process = child
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-20_000)
        said = (said + text).slice(-20_000)
      })
    }
    await this.#poll('answer', 180, async () => {
      if (child.exitCode !== null) throw new Error(`The service ended:\n${this.#output}`)
      const [, port] = /Ondine is on http:\/\/localhost:(\d+)/.exec(said) ?? []
      if (port === undefined) return false
      this.origin = `http://127.0.0.1:${port}`
      const response = await fetch(`${this.origin}/readyz`).catch(() => undefined)
      return response?.ok === true
    })
  }

  /** Kills it as a power failure would, and waits until it is gone. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  /** Ends it and removes all that it kept. */
  async remove(): Promise<void> {
    await this.kill('SIGTERM')
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 5 })
  }

  /** What the service wrote last, on both outputs. */
  get output(): string {
    return this.#output
  }

  /** Waits until the whole library is ready. */
  async libraryReady(seconds: number): Promise<void> {
    await this.#poll('have its library', seconds, async () => {
      const { running, ready, total, items } = await this.progress()
      const failed = items.filter(({ state }) => state === 'failed')
      if (failed.length > 0) throw new Error(`These imports failed: ${JSON.stringify(failed)}`)
      return !running && total > 0 && ready === total
    })
  }

  async progress(): Promise<OutputOf<typeof importProgress>> {
    const response = await fetch(`${this.origin}${importProgress.path}`)
    const answer = (await response.json()) as { result: OutputOf<typeof importProgress> }
    return answer.result
  }

  async #poll(what: string, seconds: number, done: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + seconds * 1000
    while (!(await done())) {
      if (performance.now() > end)
        throw new Error(`The service did not ${what} within ${seconds} s:\n${this.#output}`)
      await delay(POLL_MS)
    }
  }
}

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { importProgress } from '@ondine/contract/library'
import type { OutputOf } from '@ondine/contract/operation'

/** Script that starts the service and its commands. */
export const ONDINE = fileURLToPath(new URL('../../script/ondine', import.meta.url))

/** Folder of encoded pictures in the data folder. Their names depend on their content, and processes can share it. */
const PICTURE_CACHE = 'picture-cache'

/** Poll interval: short enough to lose no time, long enough to leave the processor to the service. */
const POLL_MS = 200

/** A service in a separate process, with a separate data folder, run in the same way as by `script/start`. */
export class Installation {
  readonly dataDir: string
  readonly #environment: Record<string, string>
  readonly #arguments: string[]
  #process: ChildProcess | undefined
  #output = ''
  /** Address of the service. */
  origin = ''

  private constructor(dataDir: string, environment: Record<string, string>, role?: string) {
    this.dataDir = dataDir
    this.#environment = environment
    this.#arguments = role === undefined ? ['serve'] : ['serve', '--role', role]
  }

  /** Makes an installation in an empty folder; `environment` are its settings. */
  static async create(environment: Record<string, string> = {}): Promise<Installation> {
    return new Installation(await mkdtemp(join(tmpdir(), 'ondine-e2e-')), environment)
  }

  /**
   * Creates an installation in `dataDir`, so that its library is made only once. End it with `kill`, because
   * `remove` deletes the folder.
   */
  static async kept(dataDir: string, environment: Record<string, string> = {}): Promise<Installation> {
    await mkdir(dataDir, { recursive: true })
    return new Installation(dataDir, environment)
  }

  /**
   * Creates a process with only one role of an installation. End it with `kill`, because `remove` deletes the
   * shared folder.
   */
  static inRole(role: string, dataDir: string, environment: Record<string, string>): Installation {
    return new Installation(dataDir, environment, role)
  }

  /**
   * Makes another installation with the same settings and a copy of all data. The service of this
   * installation must have ended. All copies share the picture cache of this installation, so that each picture is
   * encoded only once.
   */
  async copy(): Promise<Installation> {
    const other = await Installation.create(this.#environment)
    // `cp -a` keeps modification times to the nanosecond, and Node's own copy does not. The service prepares a
    // film again when its time differs.
    await promisify(execFile)('cp', ['-a', `${this.dataDir}/.`, other.dataDir])
    const shared = join(this.dataDir, PICTURE_CACHE)
    const own = join(other.dataDir, PICTURE_CACHE)
    await mkdir(shared, { recursive: true })
    await rm(own, { recursive: true, force: true })
    await symlink(shared, own)
    return other
  }

  /** Starts the service, and waits until it is ready to answer. */
  async start(): Promise<void> {
    const child = spawn(ONDINE, this.#arguments, {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        LOG_FORMAT: 'json',
        HOST: '127.0.0.1',
        // Switches load shedding off, because a test shares its machine with the service.
        OVERLOAD_DELAY_MS: '0',
        DATA_DIR: this.dataDir,
        // Lets the system choose a free port. A port chosen here might be taken when the service starts.
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
      const [, port] = /^Ondine.* on http:\/\/localhost:(\d+)/m.exec(said) ?? []
      if (port === undefined) return false
      this.origin = `http://127.0.0.1:${port}`
      const response = await fetch(`${this.origin}/readyz`).catch(() => undefined)
      return response?.ok === true
    })
  }

  /**
   * Sends `signal` to the service, and waits until its process has ended. The default, SIGKILL, leaves the service
   * no time to shut down.
   */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  /** Ends the service and removes all its data. */
  async remove(): Promise<void> {
    await this.kill('SIGTERM')
    await this.#releaseInputs()
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 5 })
  }

  /**
   * Ends the ffmpeg processes of live inputs, if there are any. They would otherwise wait for a new ingest
   * process.
   */
  async #releaseInputs(): Promise<void> {
    const names = await readdir(join(this.dataDir, 'control')).catch(() => [])
    if (!names.some((name) => name.startsWith('keeper') && name.endsWith('.sock'))) return
    await promisify(execFile)(ONDINE, ['inputs', 'release'], {
      env: { ...process.env, DATA_DIR: this.dataDir, ...this.#environment },
    })
  }

  /** Returns the last output of the service, from both streams. */
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

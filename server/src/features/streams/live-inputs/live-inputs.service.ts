import { randomUUID } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { refreshOn } from '../../../database/refresh.ts'
import type { LiveInput } from './live-input.ts'
import { findInputs, holdInputs, releaseInputs } from './live-inputs.repository.ts'
import { hasLiveSets, sweepLiveSets } from './sweep-live-sets.ts'

/** How often inputs are looked at for silence, in milliseconds. */
const LOOK_MS = 250
/** How often the states of inputs are reported, in milliseconds. */
const REPORT_MS = 1000
/** How often old TrackSets are removed, in milliseconds. */
const SWEEP_MS = 60_000

/**
 * Receives the inputs of live channels, each in one process of the installation. Without an input, this costs
 * one query at the start: no timer runs, and no program.
 */
export class LiveInputs {
  readonly #context: Context
  readonly #holder = randomUUID()
  readonly #receiving = new Map<number, LiveInput>()
  readonly #timers: NodeJS.Timeout[] = []
  #wanted: Awaited<ReturnType<typeof findInputs>> = []
  #working: Promise<void> = Promise.resolve()
  #isClosed = false
  #isMeasured = false

  constructor(context: Context) {
    this.#context = context
  }

  /** Starts to receive, and follows changes of the inputs. */
  async start(signal: AbortSignal): Promise<void> {
    const { db, connection } = this.#context
    // An embedded database has one process, so a process that was killed holds nothing.
    if (connection.kind === 'embedded') await releaseInputs(db, null)
    refreshOn(
      connection.changes,
      'channels',
      { log: this.#context.log, signal },
      async () => await this.#refresh(),
    )
    await this.#refresh()
  }

  /** Stops receiving, and lets other processes continue. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    await this.#working
    await Promise.all([...this.#receiving.values()].map(async (input) => await input.stop()))
    if (this.#wanted.length > 0) await releaseInputs(this.#context.db, this.#holder)
    this.#receiving.clear()
  }

  async #refresh(): Promise<void> {
    this.#wanted = await findInputs(this.#context.db)
    if (this.#isClosed) return
    const isNeeded = this.#wanted.length > 0 || (await hasLiveSets(this.#context.db))
    if (!isNeeded) {
      for (const timer of this.#timers.splice(0)) clearInterval(timer)
      await this.#report()
      return
    }
    if (this.#timers.length === 0) this.#startTimers()
    await this.#report()
  }

  #startTimers(): void {
    const every = (milliseconds: number, work: () => void): void => {
      this.#timers.push(setInterval(work, milliseconds).unref())
    }
    every(LOOK_MS, () => {
      for (const input of this.#receiving.values()) input.look()
    })
    every(REPORT_MS, () => void this.#report())
    every(SWEEP_MS, () => void this.#sweep())
  }

  /** Reports the states, and starts and stops inputs. One report at a time. */
  async #report(): Promise<void> {
    const before = this.#working
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#working = promise
    await before
    try {
      if (!this.#isClosed) await this.#hold()
    } catch (error) {
      // The database does not answer. What is being received goes on, and is lost if it cannot be stored.
      this.#context.log.warn({ err: error }, 'the states of live inputs could not be reported')
    } finally {
      resolve()
    }
  }

  async #hold(): Promise<void> {
    const { db } = this.#context
    const reports = this.#wanted.map(({ id }) => ({
      inputId: id,
      status: this.#receiving.get(id)?.status() ?? null,
    }))
    const held = await holdInputs(db, this.#holder, reports)
    for (const [id, input] of this.#receiving) {
      const wanted = this.#wanted.find((row) => row.id === id)
      const isSame = wanted?.address === input.row.address && wanted.spareAddress === input.row.spareAddress
      if (held.has(id) && isSame) continue
      this.#receiving.delete(id)
      await input.stop()
    }
    for (const row of this.#wanted) {
      if (!held.has(row.id) || this.#receiving.has(row.id)) continue
      const { LiveInput } = await import('./live-input.ts')
      if (!this.#isMeasured) await this.#measure()
      this.#receiving.set(row.id, new LiveInput(this.#context, row))
    }
  }

  async #measure(): Promise<void> {
    this.#isMeasured = true
    const { registerInputMetrics } = await import('./input-metrics.ts')
    registerInputMetrics(this.#context.metrics.registry, () =>
      [...this.#receiving.values()].map((input) => ({
        channelId: input.row.channelId,
        status: input.status(),
      })),
    )
  }

  async #sweep(): Promise<void> {
    try {
      await sweepLiveSets(this.#context)
    } catch (error) {
      this.#context.log.warn({ err: error }, 'old media of live inputs could not be removed')
    }
  }
}

import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../context.ts'
import { keeperSocketPath } from '../../../control/ownership.ts'
import { refreshOn } from '../../../database/refresh.ts'
import { installationId } from '../../inventory/stores/stores.service.ts'
import type { InputRow, LiveInput, ReceiverParts } from './live-input.ts'
import { findInputs, HOLD_SECONDS, holdInputs, releaseInputs } from './live-inputs.repository.ts'
import { databaseTime, hasLiveSets, sweepLiveSets } from './sweep-live-sets.ts'

/** Interval at which inputs are checked for silence, in milliseconds. */
const LOOK_MS = 250
/** How often the states of inputs are reported, in milliseconds. */
const REPORT_MS = 1000
/** How often old TrackSets are removed, in milliseconds. */
const SWEEP_MS = 60_000
/** How often the inputs are read again without a change, in milliseconds. */
const READ_MS = 60_000

/**
 * Receives the inputs of live channels, each in one process of the installation. An installation without inputs
 * pays one query at the start: no timer and no program runs.
 */
export class LiveInputs {
  readonly #context: Context
  readonly #holder: string
  readonly #receiving = new Map<number, LiveInput>()
  /** Inputs that are being stopped. Such an input is started again only after it has stopped. */
  readonly #stopping = new Map<number, Promise<void>>()
  /** Rows of inputs that cannot be received. A changed input has a new row, which is tried again. */
  readonly #refused = new WeakSet<InputRow>()
  readonly #timers: NodeJS.Timeout[] = []
  #receiver: ReceiverParts | undefined
  #wanted: InputRow[] = []
  /** For each RTMP input, by its id: the id of the first input in the group that shares its port. */
  #firstOfPort: ReadonlyMap<number, number> = new Map()
  /** Inputs that wait because another process receives their RTMP port. */
  readonly #waitingForPort = new Set<number>()
  /** The call of `#report` that is in progress, if any. */
  #reporting: Promise<void> | undefined
  /** Time until which no other process takes over the inputs of this process, by `performance.now()`. */
  #heldUntil = Infinity
  #isFollowing = false
  /** Reads the inputs again in the background. */
  #readAgain = (): void => undefined
  #isSweeping = false
  #isClosed = false
  #isMeasured = false

  constructor(context: Context) {
    this.#context = context
    this.#holder = context.connection.processId
  }

  /** Starts to receive, and follows changes of the inputs. Can be called again after a failure. */
  async start(signal: AbortSignal): Promise<void> {
    if (!this.#isFollowing) await this.#follow(signal)
    await this.#refresh()
  }

  /** Stops receiving, and lets other processes take over. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    await this.#reporting
    for (const id of this.#receiving.keys()) this.#end(id, 'leave')
    await Promise.all(this.#stopping.values())
    if (this.#wanted.length > 0) await releaseInputs(this.#context.db, this.#holder)
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { db, connection, log } = this.#context
    // An embedded database has one process. So all leases belong to processes that were killed.
    if (connection.kind === 'embedded') await releaseInputs(db, null)
    this.#isFollowing = true
    this.#readAgain = refreshOn(
      connection.changes,
      'channels',
      { log, signal },
      async () => await this.#refresh(),
    )
  }

  async #refresh(): Promise<void> {
    const wanted = await findInputs(this.#context.db, this.#context.clock.now())
    if (this.#isClosed) return
    if (wanted.length > 0) {
      const { firstOfPorts } = await import('./shared-ports.ts')
      this.#firstOfPort = firstOfPorts(wanted)
    }
    const known = new Map(this.#wanted.map((row) => [row.id, row]))
    this.#wanted = wanted.map((row) => {
      const earlier = known.get(row.id)
      return earlier && isSame(earlier, row) ? earlier : row
    })
    const isNeeded = wanted.length > 0 || (await hasLiveSets(this.#context.db))
    if (this.#isClosed) return
    if (!isNeeded) for (const timer of this.#timers.splice(0)) clearInterval(timer)
    else if (this.#timers.length === 0) this.#startTimers()
    // A report that is in progress may have begun with the earlier inputs.
    await this.#reporting
    await this.#report()
  }

  #startTimers(): void {
    const every = (milliseconds: number, work: () => void): void => {
      this.#timers.push(setInterval(work, milliseconds).unref())
    }
    every(LOOK_MS, () => this.#look())
    every(REPORT_MS, () => void this.#report())
    every(SWEEP_MS, () => void this.#sweep())
    // Recordings that end, and that the guide moves, decide whether some inputs are received.
    every(READ_MS, () => this.#readAgain())
  }

  #look(): void {
    // An embedded database has one process, so no other process can take over.
    if (this.#context.connection.kind !== 'embedded' && performance.now() >= this.#heldUntil) {
      this.#heldUntil = Infinity
      this.#context.log.warn('live inputs are stopped: another process may receive them')
      for (const id of this.#receiving.keys()) this.#end(id, 'leave')
    }
    for (const input of this.#receiving.values()) input.look()
  }

  /** Reports the states, and starts and stops inputs. Only one report runs at a time. */
  async #report(): Promise<void> {
    this.#reporting ??= this.#reported().finally(() => {
      this.#reporting = undefined
    })
    await this.#reporting
  }

  async #reported(): Promise<void> {
    try {
      if (!this.#isClosed) await this.#hold()
    } catch (error) {
      // The database does not answer. This process continues to receive until another process may take over.
      this.#context.log.warn({ err: error }, 'the states of live inputs could not be reported')
    }
  }

  async #hold(): Promise<void> {
    const { db } = this.#context
    const heldUntil = performance.now() + HOLD_SECONDS * 1000
    const hold = async (rows: readonly InputRow[]): Promise<Set<number>> =>
      await holdInputs(
        db,
        this.#holder,
        rows.map(({ id }) => ({ inputId: id, status: this.#receiving.get(id)?.status() ?? null })),
      )
    const isFirst = ({ id }: InputRow): boolean => (this.#firstOfPort.get(id) ?? id) === id
    const held = await hold(this.#wanted.filter(isFirst))
    const others = this.#wanted.filter((row) => !isFirst(row))
    const joined = others.filter(({ id }) => held.has(this.#firstOfPort.get(id) ?? id))
    for (const id of await hold(joined)) held.add(id)
    for (const row of others) this.#say(row, !joined.includes(row))
    this.#heldUntil = heldUntil
    for (const [id, input] of this.#receiving) {
      const wanted = this.#wanted.find((row) => row.id === id)
      if (!wanted || !isSame(wanted, input.row)) this.#end(id, 'stop')
      else if (!held.has(id)) this.#end(id, 'leave')
    }
    for (const row of this.#wanted) {
      const isReceived = this.#receiving.has(row.id) || this.#stopping.has(row.id)
      if (held.has(row.id) && !isReceived && !this.#refused.has(row)) await this.#start(row)
    }
  }

  /** Logs, once, that an input waits for the process that listens on its RTMP port. */
  #say({ id, channelId }: InputRow, isWaiting: boolean): void {
    if (isWaiting && !this.#waitingForPort.has(id))
      this.#context.log.info({ channelId }, 'an RTMP input waits: another process receives its port')
    if (isWaiting) this.#waitingForPort.add(id)
    else this.#waitingForPort.delete(id)
  }

  async #start(row: InputRow): Promise<void> {
    const { LiveInput } = await import('./live-input.ts')
    this.#receiver ??= await this.#prepare()
    if (!this.#isMeasured) await this.#measure()
    try {
      this.#receiving.set(row.id, new LiveInput(this.#context, row, this.#receiver))
    } catch (error) {
      // Only an earlier version accepted this address. The other inputs are received.
      this.#refused.add(row)
      this.#context.log.error({ err: error, channelId: row.channelId }, 'a live input cannot be received')
    }
  }

  /** Creates the dependencies that all inputs share. */
  async #prepare(): Promise<ReceiverParts> {
    const { Keeper } = await import('../../../ingest/live/keeper.ts')
    const { db, settings } = this.#context
    const { DATA_DIR, INPUT_KEEPER } = settings
    const keeper = new Keeper(keeperSocketPath(DATA_DIR), { isService: INPUT_KEEPER === 'service' })
    const installation = await installationId(db)
    return { holder: this.#holder, installation, keeper }
  }

  /**
   * Ends an input in the background: for good, or for the next process that receives it. Reports must continue
   * meanwhile, so that this process keeps the other inputs.
   */
  #end(id: number, how: 'stop' | 'leave'): void {
    const input = this.#receiving.get(id)
    if (!input) return
    this.#receiving.delete(id)
    const stopped = input[how]()
      .catch((error: unknown) => {
        const { channelId } = input.row
        this.#context.log.error({ err: error, channelId }, 'a live input did not end as it should')
      })
      .finally(() => this.#stopping.delete(id))
    this.#stopping.set(id, stopped)
  }

  async #measure(): Promise<void> {
    this.#isMeasured = true
    const { registerInputMetrics } = await import('./input-metrics.ts')
    registerInputMetrics(this.#context.metrics.registry, () =>
      [...this.#receiving.values()].map((input) => ({
        channelId: input.row.channelId,
        kinds: input.kinds,
        status: input.status(),
      })),
    )
  }

  async #sweep(): Promise<void> {
    // After an outage, a sweep may take longer than the time until the next one.
    if (this.#isSweeping) return
    this.#isSweeping = true
    try {
      await sweepLiveSets(this.#context, await databaseTime(this.#context.db))
    } catch (error) {
      this.#context.log.warn({ err: error }, 'old media of live inputs could not be removed')
    } finally {
      this.#isSweeping = false
    }
  }
}

/** Returns whether two rows are received in the same way. */
function isSame(one: InputRow, other: InputRow): boolean {
  return (
    one.address === other.address &&
    one.spareAddress === other.spareAddress &&
    isDeepStrictEqual(one.ladder, other.ladder) &&
    one.headers.userAgent === other.headers.userAgent &&
    one.headers.referrer === other.headers.referrer
  )
}

import { setImmediate } from 'node:timers/promises'
import { untilAnswered } from './callers.ts'

/** Processor time of one slice, in milliseconds: a call that comes meanwhile waits for it, and a page for a few of them. */
const AIM_MS = 30
/** Fewer rows take hardly less time: a transaction takes 6 ms by itself. */
const LEAST_ROWS = 10
/** A turn of the event loop in which nothing else ran is shorter, in milliseconds. */
const IDLE_TURN_MS = 1
/** Most time that is left to others between two slices, in milliseconds: the work has to end on a busy service too. */
const LONGEST_WAY_MS = 150

/**
 * Divides long work on the database into slices, so that other calls are answered in between (docs/decisions/0035). The embedded database
 * runs on the thread of the service: one statement holds up every call, and one transaction holds up every call that asks the database.
 * A slice has as many rows as take {@link AIM_MS} on this machine. On PostgreSQL the rows take no time of this process, so that slices
 * are as large as they may be.
 */
export class Pace {
  readonly #mostRows: number
  #rows: number

  /** @param firstRows rows of the first slice; the largest slice when left out. */
  constructor(mostRows: number, firstRows = mostRows) {
    this.#mostRows = mostRows
    this.#rows = firstRows
  }

  /** Does one slice of at most `rows` rows, then lets others go on. */
  async slice<Result>(work: (rows: number) => Promise<Result>): Promise<Result> {
    const began = process.threadCpuUsage()
    const result = await work(this.#rows)
    const { user, system } = process.threadCpuUsage(began)
    const took = (user + system) / 1000
    const share = AIM_MS / Math.max(1, took)
    // Grows slowly: the next rows may cost more than these.
    const rows = Math.floor(this.#rows * Math.min(1.5, Math.max(0.25, share)) + 0.5)
    this.#rows = Math.min(this.#mostRows, Math.max(LEAST_ROWS, rows))
    await giveWay()
    return result
  }

  /**
   * Does something with each of these items, one slice after the other. `work` gets the items of a slice and the index of the first.
   *
   * @throws the reason of `signal` when it aborts, between two slices.
   */
  async over<Item>(
    items: readonly Item[],
    work: (some: Item[], from: number) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void> {
    for (let at = 0; at < items.length; ) {
      signal?.throwIfAborted()
      at += await this.slice(async (most) => {
        const some = items.slice(at, at + most)
        await work(some, at)
        return some.length
      })
    }
  }
}

/**
 * Lets everything else in the process go on. The embedded database answers without a turn of the event loop: awaiting it lets nobody
 * else in. Returns when no call is being answered, after a turn in which nothing else ran: a page that is drawn waits several times
 * for another thread or a timer, and would wait for a slice each time.
 */
async function giveWay(): Promise<void> {
  const began = performance.now()
  await setImmediate()
  await untilAnswered(LONGEST_WAY_MS)
  let turn = began
  let now = began
  do {
    turn = now
    await setImmediate()
    now = performance.now()
  } while (now - turn > IDLE_TURN_MS && now - began < LONGEST_WAY_MS)
}

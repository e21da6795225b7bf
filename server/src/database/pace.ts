import { setImmediate } from 'node:timers/promises'
import { untilAnswered } from './callers.ts'

/**
 * Target processor time of a slice, in milliseconds. A call that arrives during a slice waits until the slice ends.
 * The rendering of a web page possibly waits for several slices.
 */
const AIM_MS = 30
/** Least number of rows in a slice. Fewer rows save hardly any time: a transaction alone takes 6 ms. */
const LEAST_ROWS = 10
/** An event loop turn shorter than this, in milliseconds, ran nothing else. */
const IDLE_TURN_MS = 1
/**
 * Maximum time given to other work between two slices, in milliseconds. The limit lets long work finish on a busy
 * service too.
 */
const LONGEST_WAY_MS = 150

/**
 * Divides long work on the database into slices, so that calls are answered in between (docs/decisions/0035).
 * The embedded database runs on the service's thread: a statement blocks every call, and a transaction blocks
 * every call that uses the database. The number of rows per slice adapts until a slice takes {@link AIM_MS}
 * on this machine. PostgreSQL runs in another process, so there slices grow to the maximum.
 */
export class Pace {
  readonly #mostRows: number
  #rows: number

  /** @param firstRows rows of the first slice; by default the maximum. */
  constructor(mostRows: number, firstRows = mostRows) {
    this.#mostRows = mostRows
    this.#rows = firstRows
  }

  /** Runs one slice, then lets other work run. `work` gets the maximum number of rows of the slice. */
  async slice<Result>(work: (rows: number) => Promise<Result>): Promise<Result> {
    const began = process.threadCpuUsage()
    const result = await work(this.#rows)
    const { user, system } = process.threadCpuUsage(began)
    const took = (user + system) / 1000
    const share = AIM_MS / Math.max(1, took)
    // The number grows slowly, because the next rows may take longer.
    const rows = Math.floor(this.#rows * Math.min(1.5, Math.max(0.25, share)) + 0.5)
    this.#rows = Math.min(this.#mostRows, Math.max(LEAST_ROWS, rows))
    await giveWay()
    return result
  }

  /**
   * Processes the items in slices, one slice after the other. `work` gets the items of a slice, and the index of
   * the slice's first item in `items`.
   *
   * @throws the reason of `signal` if it aborts between two slices.
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
 * Lets other work in the process run. Returns once no call is being answered and the event loop has made an idle
 * turn, at the latest after about {@link LONGEST_WAY_MS}. Awaiting the embedded database is not enough, because it
 * answers without a turn of the event loop. The idle turn matters for web pages: rendering a page waits several times
 * for another thread or a timer, and otherwise a slice would run during each of these waits.
 */
export async function giveWay(): Promise<void> {
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

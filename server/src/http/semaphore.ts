import { ServiceError } from './errors.ts'

/** Maximum number of waiting requests. Further requests are refused. A home page loads some fifty pictures. */
const MOST_WAITING = 500

/** Seconds after which it is worth asking again. */
const RETRY_SECONDS = 2

/**
 * Limits how much costly work runs at once, so that the service stays responsive. Waiting work runs in order of
 * arrival.
 */
export class Semaphore {
  readonly #atOnce: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /**
   * Runs `work` when a slot is free.
   *
   * @throws {ServiceError} `temporarilyUnavailable` when too many callers are already waiting
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= MOST_WAITING)
        throw new ServiceError('temporarilyUnavailable', { retryAfterSeconds: RETRY_SECONDS })
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#running++
    try {
      return await work()
    } finally {
      // The slot passes directly to the next waiting caller, so that no new caller can take it.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}

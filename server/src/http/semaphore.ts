import { ServiceError } from './errors.ts'

/**
 * Maximum number of waiting requests; further requests are refused. A home page loads some fifty pictures at once.
 */
const MOST_WAITING = 500

/** Value of `retry-after` for refused requests, in seconds. */
const RETRY_SECONDS = 2

/**
 * Limits how many costly tasks run at the same time, so that the service stays responsive. Waiting tasks run in
 * order of arrival.
 */
export class Semaphore {
  readonly #atOnce: number
  readonly #mostWaiting: number
  /**
   * Functions that let a waiting caller begin, in order of arrival. The first `#begun` of them were already called,
   * and are removed later.
   */
  readonly #queue: (() => void)[] = []
  #begun = 0
  #running = 0

  /**
   * @param atOnce maximum number of callers whose work runs
   * @param mostWaiting maximum number of callers that wait
   */
  constructor(atOnce: number, mostWaiting = MOST_WAITING) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
  }

  /**
   * Runs `work` when a slot is free.
   *
   * @throws {ServiceError} `temporarilyUnavailable` when too many callers are already waiting
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#atOnce) {
      if (this.#queue.length - this.#begun >= this.#mostWaiting)
        throw new ServiceError('temporarilyUnavailable', { retryAfterSeconds: RETRY_SECONDS })
      await new Promise<void>((resolve) => this.#queue.push(resolve))
    } else this.#running++
    try {
      return await work()
    } finally {
      // The slot passes directly to the next waiting caller, so that no new caller can take it.
      const next = this.#takeNext()
      if (next) next()
      else this.#running--
    }
  }

  #takeNext(): (() => void) | undefined {
    const next = this.#queue[this.#begun]
    if (next) this.#begun++
    // `shift` would move all entries at each call, which took 12 s for a queue of 100,000 callers.
    if (this.#begun * 2 > this.#queue.length) {
      this.#queue.splice(0, this.#begun)
      this.#begun = 0
    }
    return next
  }
}

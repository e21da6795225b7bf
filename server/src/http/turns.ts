import { ServiceError } from './errors.ts'

/** Those who may wait for their turn. A home page asks for some fifty pictures; beyond this, whoever asks is sent away. */
const MOST_WAITING = 500

/** Seconds after which it is worth asking again. */
const RETRY_SECONDS = 2

/** Lets so much costly work be done at once that the service stays quick beside it. Whoever came first is first. */
export class Turns {
  readonly #atOnce: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /**
   * Runs `work` when it is its turn.
   *
   * @throws {ServiceError} `temporarilyUnavailable` when too many wait already
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
      // The place goes from one to the next, so that nobody slips in between.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}

import { availableParallelism } from 'node:os'
import { ServiceError } from '../../http/errors.ts'

/** Pictures that may wait for their turn. A home page asks for some fifty; beyond this, whoever asks is sent away. */
const MOST_WAITING = 500

/** Seconds after which it is worth asking again for a picture that was not made. */
const RETRY_SECONDS = 2

/**
 * Lets so many pictures be encoded at once that the service stays quick beside them: half of the processors, and
 * never all.
 */
export class EncoderGate {
  readonly #atOnce: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(atOnce: number = Math.max(1, Math.floor(availableParallelism() / 2))) {
    this.#atOnce = atOnce
  }

  /**
   * Runs `encode` when it is its turn.
   *
   * @throws {ServiceError} `temporarilyUnavailable` when too many wait already
   */
  async run<Result>(encode: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= MOST_WAITING)
        throw new ServiceError('temporarilyUnavailable', { retryAfterSeconds: RETRY_SECONDS })
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#running++
    try {
      return await encode()
    } finally {
      // The place goes from one to the next, so that nobody slips in between.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}

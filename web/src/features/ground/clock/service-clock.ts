/** The time sources of a clock, replaceable in tests. All values are in milliseconds. */
export interface ClockSources {
  /** A monotonic clock with a steady pace and any origin. */
  steady: () => number
  /** The device's time since the Unix epoch. It may be wrong, and may be changed by the user. */
  device: () => number
  /** Asks the service for its time since the Unix epoch. */
  ask: () => Promise<number>
}

/** A service time, and the values of the device's two clocks at that moment. */
interface Anchor {
  service: number
  steady: number
  device: number
}

/** The service's time when the steady clock showed `at`. It is accurate to half of `took`, the round trip. */
interface Answer {
  service: number
  at: number
  took: number
}

/** An answer with at most this round trip is accurate enough. If all answers are slower, the fastest counts. */
const GOOD_ROUND_TRIP_MS = 150
const MOST_QUESTIONS = 3
/** Smaller differences from the known time are ignored, so that nothing flickers. */
const TOLERANCE_MS = 100
/**
 * If the wall clock and the monotonic clock of the device diverge by more than this, the device slept or its
 * clock was set.
 */
const SLIP_MS = 1000
/** After this time the drift of the device's clock must be checked again. */
const GOOD_FOR_MS = 10 * 60_000
/**
 * A starting browser may be too busy to receive its answers at once. It asks again after this time, and doubles the time after each slow
 * answer.
 */
const SLOW_GOOD_FOR_MS = 10_000
/** Pause after a failed request. It doubles with each failure. */
const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 60_000

/**
 * The service's time in a browser, independent of the browser's own clock. It measures the round trip of each request, and advances with
 * the device's steady clock in between.
 */
export class ServiceClock {
  readonly #sources: ClockSources
  readonly #listeners = new Set<() => void>()
  #anchor: Anchor
  /** When the service last answered, by the monotonic clock; undefined before the first answer. */
  #askedAt: number | undefined
  #asking: Promise<void> | undefined
  /** Number of consecutive answers that were too slow to be accurate. */
  #slowAnswers = 0
  #failures = 0
  #failedAt = 0

  /** @param guess the service's time when the steady clock showed `at`: the time that came with the page */
  constructor(sources: ClockSources, guess: number, at: number) {
    this.#sources = sources
    const steady = sources.steady()
    this.#anchor = { service: guess + steady - at, steady, device: sources.device() }
  }

  /** Returns the service's time in milliseconds since the Unix epoch. */
  readonly now = (): number => this.#anchor.service + this.#sources.steady() - this.#anchor.steady

  /** Calls `corrected` when the time was corrected. Returns a function that stops the calls. */
  readonly onCorrected = (corrected: () => void): (() => void) => {
    this.#listeners.add(corrected)
    return () => this.#listeners.delete(corrected)
  }

  /** Whether the time may be wrong: no answer yet, a slow or old answer, or a device that slept or had its clock set. */
  get doubtful(): boolean {
    if (this.#askedAt === undefined) return true
    const goodFor =
      this.#slowAnswers === 0
        ? GOOD_FOR_MS
        : Math.min(GOOD_FOR_MS, SLOW_GOOD_FOR_MS * 2 ** (this.#slowAnswers - 1))
    return Math.abs(this.#slip()) > SLIP_MS || this.#sources.steady() - this.#askedAt > goodFor
  }

  /** Asks the service when the time may be wrong, but pauses after a failed request. */
  async check(): Promise<void> {
    if (!this.doubtful) return
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1))
    if (this.#failures > 0 && this.#sources.steady() - this.#failedAt < pause) return
    await this.correct()
  }

  /** Asks the service for its time, and uses it from then on. Without an answer, the best estimate is kept. */
  async correct(): Promise<void> {
    this.#asking ??= this.#correct().finally(() => {
      this.#asking = undefined
    })
    await this.#asking
  }

  async #correct(): Promise<void> {
    const best = await this.#fastestAnswer()
    if (best === undefined) {
      this.#failures++
      this.#failedAt = this.#sources.steady()
      // Only the device's wall clock tells how long the device slept. That clock is ignored if it was set back.
      const slip = this.#slip()
      if (slip > SLIP_MS) this.#set(this.now() + slip)
      return
    }
    // The known time is kept unless the answer differs by more than its own inaccuracy. Before the first
    // answer, any difference counts, because a page may be older than it seems.
    const unsure = this.#askedAt === undefined ? 0 : best.took / 2
    this.#failures = 0
    this.#slowAnswers = best.took <= GOOD_ROUND_TRIP_MS ? 0 : this.#slowAnswers + 1
    this.#askedAt = this.#sources.steady()
    const now = best.service + this.#askedAt - best.at
    this.#set(Math.abs(now - this.now()) > Math.max(TOLERANCE_MS, unsure) ? now : this.now())
  }

  async #fastestAnswer(): Promise<Answer | undefined> {
    const { steady, ask } = this.#sources
    let best: Answer | undefined
    for (let question = 0; question < MOST_QUESTIONS; question++) {
      const begun = steady()
      const slip = this.#slip()
      try {
        const told = await ask()
        // The device slept meanwhile, so earlier answers are outdated, even if they seemed fast.
        if (Math.abs(this.#slip() - slip) > SLIP_MS) {
          best = undefined
          continue
        }
        const at = steady()
        const took = at - begun
        // The service wrote the answer about half a round trip ago. The error is at most half a round trip.
        if (best === undefined || took < best.took) best = { service: told + took / 2, at, took }
      } catch (error) {
        if (!(error instanceof Error)) throw error
        break
      }
      if (best.took <= GOOD_ROUND_TRIP_MS) break
    }
    return best
  }

  /** Returns how much further the device's wall clock advanced than its monotonic clock. */
  #slip(): number {
    const { steady, device } = this.#sources
    return device() - this.#anchor.device - (steady() - this.#anchor.steady)
  }

  #set(service: number): void {
    const moved = Math.abs(service - this.now()) > 0
    this.#anchor = { service, steady: this.#sources.steady(), device: this.#sources.device() }
    if (moved) for (const listener of this.#listeners) listener()
  }
}

/** The time sources of a clock, replaceable in tests. All values are in milliseconds. */
export interface ClockSources {
  /** A monotonic clock with a steady pace and any origin. */
  steady: () => number
  /** The device's time since the Unix epoch. This time is possibly wrong, and the user can change it. */
  device: () => number
  /** Asks the service for its time since the Unix epoch. */
  ask: () => Promise<number>
}

/** A time of the service, with the values of the device's two clocks at the same moment. */
interface Anchor {
  service: number
  steady: number
  device: number
}

/**
 * An answer of the service. The service's time was `service` when the steady clock showed `at`. The error is at
 * most half of `took`, the round trip of the request.
 */
interface Answer {
  service: number
  at: number
  took: number
}

/**
 * Longest round trip of an answer that is accurate enough. If all answers are slower, the fastest answer is used.
 */
const GOOD_ROUND_TRIP_MS = 150
const MOST_QUESTIONS = 3
/**
 * If an answer differs from the clock's time by less than this, the clock is not set, so that displayed times do
 * not flicker.
 */
const TOLERANCE_MS = 100
/**
 * If the wall clock and the monotonic clock of the device diverge by more than this, the device slept or its
 * clock was set.
 */
const SLIP_MS = 1000
/** After this time, the clock asks the service again, because the device's clock may have drifted. */
const GOOD_FOR_MS = 10 * 60_000
/**
 * After a slow answer, the clock asks the service again after this shorter time. An answer can be slow because a
 * starting browser is too busy to receive it at once. The time doubles with each further slow answer.
 */
const SLOW_GOOD_FOR_MS = 10_000
/** Pause after a failed request, which doubles with each further failure. */
const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 60_000

/**
 * The service's time in a browser, independent of the device's own time. The clock measures the round trip of each
 * request. Between requests, it advances with the device's steady clock.
 */
export class ServiceClock {
  readonly #sources: ClockSources
  readonly #listeners = new Set<() => void>()
  #anchor: Anchor
  /**
   * When this clock was last compared with the service, in milliseconds of the steady clock; undefined before the first
   * time.
   */
  #comparedAt: number | undefined
  #asking: Promise<void> | undefined
  /** Number of consecutive answers that were too slow to be accurate. */
  #slowAnswers = 0
  #failures = 0
  #failedAt = 0

  /**
   * @param guess the service's time when the page was rendered, which is assigned to the value `at` of the steady
   * clock
   */
  constructor(sources: ClockSources, guess: number, at: number) {
    this.#sources = sources
    const steady = sources.steady()
    this.#anchor = { service: guess + steady - at, steady, device: sources.device() }
  }

  /** Returns the service's time in milliseconds since the Unix epoch. */
  readonly now = (): number => this.#anchor.service + this.#sources.steady() - this.#anchor.steady

  /** Calls `corrected` each time the clock was corrected. Returns a function that ends the calls. */
  readonly onCorrected = (corrected: () => void): (() => void) => {
    this.#listeners.add(corrected)
    return () => this.#listeners.delete(corrected)
  }

  /**
   * Whether the time may be wrong: the service has not answered yet, its answer was slow or is old, the device
   * slept, or somebody set the device's clock.
   */
  get doubtful(): boolean {
    if (this.#comparedAt === undefined) return true
    const goodFor =
      this.#slowAnswers === 0
        ? GOOD_FOR_MS
        : Math.min(GOOD_FOR_MS, SLOW_GOOD_FOR_MS * 2 ** (this.#slowAnswers - 1))
    return Math.abs(this.#slip()) > SLIP_MS || this.#sources.steady() - this.#comparedAt > goodFor
  }

  /** Asks the service when the time may be wrong, but pauses after a failed request. */
  async check(): Promise<void> {
    if (!this.doubtful) return
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1))
    if (this.#failures > 0 && this.#sources.steady() - this.#failedAt < pause) return
    await this.correct()
  }

  /** Asks the service for its time, and sets the clock. Without an answer, the clock keeps the best estimate. */
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
      // Only the device's wall clock shows how long the device slept. The wall clock is ignored if someone set it back.
      const slip = this.#slip()
      if (slip > SLIP_MS) this.#set(this.now() + slip)
      return
    }
    // The clock is set only if the answer differs from its time by more than the inaccuracy of the answer. The
    // first answer is always used, because a page may be older than it seems.
    const unsure = this.#comparedAt === undefined ? 0 : best.took / 2
    this.#failures = 0
    this.#slowAnswers = best.took <= GOOD_ROUND_TRIP_MS ? 0 : this.#slowAnswers + 1
    this.#comparedAt = this.#sources.steady()
    const now = best.service + this.#comparedAt - best.at
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
        // The device slept during the request. Earlier answers are now outdated, even if they were fast.
        if (Math.abs(this.#slip() - slip) > SLIP_MS) {
          best = undefined
          continue
        }
        const at = steady()
        const took = at - begun
        // The service wrote its answer about half a round trip ago, so the error is at most half a round trip.
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

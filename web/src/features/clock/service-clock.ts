/** What a clock is made from, so that tests can bring their own. Milliseconds everywhere. */
export interface ClockSources {
  /** Time that only goes forward, at an even pace, from any beginning. */
  steady: () => number
  /** What the device takes for the time since the Unix epoch: it may be wrong, and may be set. */
  device: () => number
  /** Asks the service for its time, since the Unix epoch. */
  ask: () => Promise<number>
}

/** When the service's time was so much, and how the device's two clocks stood then. */
interface Anchor {
  service: number
  steady: number
  device: number
}

/** What the service's time was when the steady clock stood at `at`, give or take half of what it took to be told. */
interface Answer {
  service: number
  at: number
  took: number
}

/** An answer that took no longer tells the time well enough; of slower ones the fastest counts. */
const GOOD_ROUND_TRIP_MS = 150
const MOST_QUESTIONS = 3
/** A difference that is no more than this is left alone, so that nothing flickers. */
const TOLERANCE_MS = 100
/** The device's two clocks went apart by more: it slept, or somebody set its clock. */
const SLIP_MS = 1000
/** After this, the pace of the device's clock has to be looked at again. */
const GOOD_FOR_MS = 10 * 60_000
/** A browser that begins may be too busy to hear its answers at once: it asks again after this, and after twice as much each time. */
const SLOW_GOOD_FOR_MS = 10_000
/** How long to wait after an answer that did not come: doubled each time. */
const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 60_000

/**
 * The service's time in a browser, whatever the browser's own clock says. It is asked for with the round trip measured,
 * and goes on by the time that passes on the device.
 */
export class ServiceClock {
  readonly #sources: ClockSources
  readonly #listeners = new Set<() => void>()
  #anchor: Anchor
  /** When the service last told its time, by the steady clock; undefined until it has. */
  #askedAt: number | undefined
  #asking: Promise<void> | undefined
  /** How many answers in a row were too slow to tell the time well. */
  #slowAnswers = 0
  #failures = 0
  #failedAt = 0

  /**
   * @param guess what the service's time was when the steady clock stood at `at`: what the page was made with
   */
  constructor(sources: ClockSources, guess: number, at: number) {
    this.#sources = sources
    const steady = sources.steady()
    this.#anchor = { service: guess + steady - at, steady, device: sources.device() }
  }

  /** The service's time, in milliseconds since the Unix epoch. */
  readonly now = (): number => this.#anchor.service + this.#sources.steady() - this.#anchor.steady

  /** Calls back when the time was put right; returns how to end that. */
  readonly onCorrected = (corrected: () => void): (() => void) => {
    this.#listeners.add(corrected)
    return () => this.#listeners.delete(corrected)
  }

  /** Whether the time may be wrong: it was never told, or not well or long ago, or the device slept or had its clock set. */
  get doubtful(): boolean {
    if (this.#askedAt === undefined) return true
    const goodFor =
      this.#slowAnswers === 0
        ? GOOD_FOR_MS
        : Math.min(GOOD_FOR_MS, SLOW_GOOD_FOR_MS * 2 ** (this.#slowAnswers - 1))
    return Math.abs(this.#slip()) > SLIP_MS || this.#sources.steady() - this.#askedAt > goodFor
  }

  /** Asks the service when the time may be wrong, but not at once again after it did not answer. */
  async check(): Promise<void> {
    if (!this.doubtful) return
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1))
    if (this.#failures > 0 && this.#sources.steady() - this.#failedAt < pause) return
    await this.correct()
  }

  /** Asks the service for its time, and goes by it from now on. Without an answer, the best guess stays. */
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
      // Nobody can say better than the device itself how long it slept. A clock that was set back says nothing.
      const slip = this.#slip()
      if (slip > SLIP_MS) this.#set(this.now() + slip)
      return
    }
    // What was told before stands unless the answer, as slow as it was, contradicts it. A page may be older than it seems.
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
        // The device slept meanwhile: what was told until then is over, however quickly it seems to have come.
        if (Math.abs(this.#slip() - slip) > SLIP_MS) {
          best = undefined
          continue
        }
        const at = steady()
        const took = at - begun
        // The answer was written half a round trip ago, give or take as much.
        if (best === undefined || took < best.took) best = { service: told + took / 2, at, took }
      } catch (error) {
        if (!(error instanceof Error)) throw error
        break
      }
      if (best.took <= GOOD_ROUND_TRIP_MS) break
    }
    return best
  }

  /** How much further the device's clock went than its steady one. */
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

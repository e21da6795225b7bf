import { LAYOUT } from '@ondine/contract/constants'

/**
 * Counts down a duration in steps, and can be paused. By default, as for the progress bar of a toast or a slide,
 * the duration is 5000 ms and a step is 200 ms (V9-10, spec 15).
 */
export class Countdown {
  readonly #durationMs: number
  readonly #onStep: (share: number) => void
  #elapsedMs = 0
  #timer: ReturnType<typeof setInterval> | undefined

  /** Calls `onStep` after each step with the elapsed fraction, from 0 to 1. At 1, the countdown has ended. */
  constructor(onStep: (share: number) => void, durationMs: number = LAYOUT.progressBarMs) {
    this.#onStep = onStep
    this.#durationMs = durationMs
  }

  /** Starts or resumes the countdown. Does nothing when the countdown has ended. */
  run(): void {
    if (this.#elapsedMs >= this.#durationMs) return
    this.#timer ??= setInterval(() => this.#step(), LAYOUT.progressThrottleMs)
  }

  /** Pauses until `run` is called again. */
  hold(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #step() {
    this.#elapsedMs = Math.min(this.#durationMs, this.#elapsedMs + LAYOUT.progressThrottleMs)
    if (this.#elapsedMs >= this.#durationMs) this.hold()
    this.#onStep(this.#elapsedMs / this.#durationMs)
  }
}

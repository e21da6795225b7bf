import { LAYOUT } from '@ondine/contract/constants'

/**
 * Counts a span of time down in steps, and can be held in between. The progress bar of a toast and of a slide lasts 5000 ms
 * and moves every 200 ms (V9-10, decision 15).
 */
export class Countdown {
  readonly #durationMs: number
  readonly #onStep: (share: number) => void
  #elapsedMs = 0
  #timer: ReturnType<typeof setInterval> | undefined

  /** `onStep` is told what is over, from 0 to 1; with 1 it has ended. */
  constructor(onStep: (share: number) => void, durationMs: number = LAYOUT.progressBarMs) {
    this.#onStep = onStep
    this.#durationMs = durationMs
  }

  /** Goes on from where it was held. After its end it does nothing. */
  run(): void {
    if (this.#elapsedMs >= this.#durationMs) return
    this.#timer ??= setInterval(() => this.#step(), LAYOUT.progressThrottleMs)
  }

  /** Stands still until it runs again. */
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

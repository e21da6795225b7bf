import { LAYOUT } from '@ondine/contract/constants'

/** The members of `Document` that a ticker uses. */
export type TickerPage = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>

/** A timer may fire slightly early. This delay makes each timer fire within the new second. */
const LATE_MS = 5

/**
 * A single timer for all elements of a page that change every second (V9, live state refresh). It fires when the
 * second of the clock changes, so that all pages change at the same moment. The timer stops while it has no
 * listeners, or while the page is hidden. When the page is visible again, it calls the listeners at once.
 */
export class Ticker {
  readonly #page: TickerPage
  readonly #now: () => number
  readonly #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param now returns the time, in milliseconds */
  constructor(page: TickerPage, now: () => number) {
    this.#page = page
    this.#now = now
  }

  /** Calls `changed` every second. Returns a function that stops the calls. */
  readonly everySecond = (changed: () => void): (() => void) => {
    if (this.#listeners.size === 0) this.#page.addEventListener('visibilitychange', this.#onVisibility)
    this.#listeners.add(changed)
    this.#run()
    return () => {
      this.#listeners.delete(changed)
      if (this.#listeners.size > 0) return
      this.#page.removeEventListener('visibilitychange', this.#onVisibility)
      this.#rest()
    }
  }

  /**
   * Calls all listeners at once, because the clock was corrected. Further calls follow the seconds of the
   * corrected clock.
   */
  readonly beat = (): void => {
    this.#rest()
    for (const listener of this.#listeners) listener()
    this.#run()
  }

  readonly #onVisibility = () => {
    if (this.#page.hidden) return this.#rest()
    this.beat()
  }

  #run() {
    if (this.#page.hidden || this.#timer !== undefined || this.#listeners.size === 0) return
    const wait = LAYOUT.liveRefreshMs - (this.#now() % LAYOUT.liveRefreshMs) + LATE_MS
    this.#timer = setTimeout(this.beat, wait)
  }

  #rest() {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

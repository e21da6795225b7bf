import { LAYOUT } from '@ondine/contract/constants'

/** The members of a document that a ticker uses. */
export type TickerPage = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>

/** Timers may fire a little early. Each timer is delayed by this time, so that it fires within the new second. */
const LATE_MS = 5

/**
 * One timer for everything on a page that moves each second (V9, live state refresh). All of it moves at the
 * moment when the second changes, on every page. The timer stops while nobody listens and while the page is
 * hidden, and catches up as soon as the page is visible again.
 */
export class Ticker {
  readonly #page: TickerPage
  readonly #now: () => number
  readonly #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param now the time, in milliseconds */
  constructor(page: TickerPage, now: () => number) {
    this.#page = page
    this.#now = now
  }

  /** Calls `changed` each second. Returns a function that stops the calls. */
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
   * Calls all listeners now, because the clock was corrected. From then on, calls them whenever the second of the
   * corrected clock changes.
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

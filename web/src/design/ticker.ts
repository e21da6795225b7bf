import { LAYOUT } from '@ondine/contract/constants'

/** What of a document a ticker needs. */
export type TickerPage = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>

/** Timers may go off a little early; a beat is meant to be in the new second. */
const LATE_MS = 5

/**
 * One timer for everything on a page that moves each second (V9, live state refresh), so that all of it moves at once:
 * as the second changes, on every page alike. It rests while nobody listens and while the page is hidden, and catches up
 * as soon as the page is seen again.
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

  /** Calls back each second; returns how to end that. */
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

  /** Calls everybody back now, for the time was put right, and goes by its seconds from here on. */
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

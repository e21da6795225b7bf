import { LAYOUT } from '@ondine/contract/constants'

/** What of a document a ticker needs. */
export type TickerPage = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>

/**
 * One timer for everything on a page that moves each second (V9, live state refresh), so that all of it moves at once.
 * It rests while nobody listens and while the page is hidden, and catches up as soon as the page is seen again.
 */
export class Ticker {
  readonly #page: TickerPage
  readonly #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(page: TickerPage) {
    this.#page = page
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

  readonly #tick = () => {
    for (const listener of this.#listeners) listener()
  }

  readonly #onVisibility = () => {
    if (this.#page.hidden) return this.#rest()
    this.#tick()
    this.#run()
  }

  #run() {
    if (!this.#page.hidden) this.#timer ??= setInterval(this.#tick, LAYOUT.liveRefreshMs)
  }

  #rest() {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

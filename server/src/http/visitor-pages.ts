import { PackedBody } from './packed-body.ts'

/** A page as the web application rendered it, with the headers of its answer. */
export interface DrawnPage {
  status: number
  headers: readonly (readonly [name: string, value: string])[]
  /** The whole document; empty for a redirect. */
  document: Buffer
}

/** A rendered page that is kept. */
export interface KeptPage extends Pick<DrawnPage, 'status' | 'headers'> {
  document: PackedBody
}

/** Maximum number of kept pages. A page with 40 cards has about 30 kB of its own, and as much again when compressed. */
const MOST_PAGES = 100

/**
 * Keeps the pages of visitors for a moment, rendered once for all visitors of that moment. Kept pages are rendered anonymously: without
 * cookies or any other header of a request.
 */
export class VisitorPages {
  readonly #milliseconds: number
  readonly #pages = new Map<string, { until: number; page: Promise<KeptPage> }>()

  /** @param seconds how long a page may be reused; 0 for not at all. */
  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000
  }

  /** Returns the page of `key`. Calls `render` when none is still valid at `now`, in milliseconds. */
  async get(key: string, now: number, render: () => Promise<DrawnPage>): Promise<KeptPage> {
    const known = this.#pages.get(key)
    if (known && known.until > now) return await known.page
    const page = render().then(({ document, ...rest }) => ({ ...rest, document: new PackedBody(document) }))
    if (this.#pages.size >= MOST_PAGES) this.#pages.delete(this.#pages.keys().next().value ?? '')
    this.#pages.delete(key)
    const entry = { until: now + this.#milliseconds, page }
    this.#pages.set(key, entry)
    try {
      const { status } = await page
      // Faults and redirects are not kept.
      if (status !== 200 && this.#pages.get(key) === entry) this.#pages.delete(key)
    } catch (error) {
      if (this.#pages.get(key) === entry) this.#pages.delete(key)
      throw error
    }
    return await page
  }
}

import { LRUCache } from 'lru-cache'
import { PackedBody } from './packed-body.ts'

/** A page that the web application has rendered, with the headers of its answer. */
export interface DrawnPage {
  status: number
  headers: readonly (readonly [name: string, value: string])[]
  /** The whole document; empty for a redirect. */
  document: Buffer
}

/** A rendered page in the cache. */
export interface KeptPage extends Pick<DrawnPage, 'status' | 'headers'> {
  document: PackedBody
}

/**
 * Maximum bytes of the cached pages, before compression. A page with 40 cards is about 30 kB larger than an empty
 * page.
 */
const MOST_BYTES = 10_000_000

/** A cached page, which may still be rendering. */
interface Entry {
  askedAt: number
  page: Promise<KeptPage>
  /** Size of the page's document in bytes; 0 while it is rendered. */
  bytes: number
}

/**
 * Caches the pages of viewers who are not signed in, for a moment. A cached page is rendered once for all of them,
 * anonymously: without cookies or any other header of a request.
 */
export class VisitorPages {
  readonly #milliseconds: number
  readonly #pages = new LRUCache<string, Entry>({
    maxSize: MOST_BYTES,
    // The size includes the key, because an address may be long.
    sizeCalculation: ({ bytes }, key) => key.length + bytes,
  })

  /** @param seconds how long a page may be reused; 0 for not at all. */
  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000
  }

  /**
   * Returns the page of `key`. Calls `render` if no cached page is valid at `now`, in milliseconds. A page from the
   * future is not valid for longer than any other: the clock may have been set back.
   */
  async get(key: string, now: number, render: () => Promise<DrawnPage>): Promise<KeptPage> {
    const known = this.#pages.get(key)
    if (known && Math.abs(now - known.askedAt) < this.#milliseconds) return await known.page
    const page = render().then(({ document, ...rest }) => ({ ...rest, document: new PackedBody(document) }))
    const entry: Entry = { askedAt: now, page, bytes: 0 }
    this.#pages.set(key, entry)
    try {
      const { status, document } = await page
      if (this.#pages.peek(key) === entry) {
        // Errors and redirects are not cached.
        if (status === 200) this.#pages.set(key, { ...entry, bytes: document.body.length })
        else this.#pages.delete(key)
      }
    } catch (error) {
      if (this.#pages.peek(key) === entry) this.#pages.delete(key)
      throw error
    }
    return await page
  }
}

/** A rendered page that is kept: its nonce is cut out, so that every answer can have its own. */
export interface KeptPage {
  status: number
  headers: [name: string, value: string][]
  /** The pieces between which the nonce stands. */
  pieces: Buffer[]
}

/** Most pages that are kept at once; a page with 40 cards has about 300 kB. */
const MOST_PAGES = 100

/**
 * The pages that visitors get, kept for a moment and rendered once for all who ask meanwhile. What is kept was rendered
 * for nobody: without cookies or any other header of a request.
 */
export class VisitorPages {
  readonly #milliseconds: number
  readonly #pages = new Map<string, { until: number; page: Promise<KeptPage> }>()

  /** @param seconds how long a page may be used; 0 for not at all. */
  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000
  }

  /**
   * The page of `key`, rendered by `render` when there is none that is still good at `now`, a time in milliseconds.
   *
   * @param nonce the one that `render` puts into the page
   */
  async get(key: string, now: number, nonce: string, render: () => Promise<Response>): Promise<KeptPage> {
    const known = this.#pages.get(key)
    if (known && known.until > now) return await known.page
    const page = render().then(async (response) => await keep(response, nonce))
    if (this.#pages.size >= MOST_PAGES) this.#pages.delete(this.#pages.keys().next().value ?? '')
    this.#pages.delete(key)
    const entry = { until: now + this.#milliseconds, page }
    this.#pages.set(key, entry)
    try {
      const { status } = await page
      // A fault or a redirection is over with those who wait for it.
      if (status !== 200 && this.#pages.get(key) === entry) this.#pages.delete(key)
    } catch (error) {
      if (this.#pages.get(key) === entry) this.#pages.delete(key)
      throw error
    }
    return await page
  }
}

async function keep(response: Response, nonce: string): Promise<KeptPage> {
  const html = await response.text()
  return {
    status: response.status,
    headers: [...response.headers],
    pieces: html.split(nonce).map((piece) => Buffer.from(piece)),
  }
}

/** The page with a nonce of this answer. */
export function withNonce({ pieces }: KeptPage, nonce: string): Buffer {
  const own = Buffer.from(nonce)
  return Buffer.concat(pieces.flatMap((piece, index) => (index === 0 ? [piece] : [own, piece])))
}

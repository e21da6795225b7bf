import type { PagePiece } from '@ondine/web/api/page-context'
import { packAround } from './packed-page.ts'
import { PageForm } from './page-form.ts'

/** A page as the web application made it. */
export interface DrawnPage {
  status: number
  headers: [name: string, value: string][]
  /** The page in pieces, some of which other pages have too; none where the headers lead elsewhere. */
  document: readonly PagePiece[]
}

/** A rendered page that is kept: its nonce is cut out, so that every answer can have its own. */
export interface KeptPage {
  status: number
  headers: [name: string, value: string][]
  /** The page with gaps where its nonce stood. */
  form: PageForm
  /** The same packed, see {@link packAround}; done when it is first asked for. */
  packed(): Promise<PageForm | undefined>
}

/** Most pages that are kept at once: one with 40 cards has about 30 kB of its own, and as much when it is packed. */
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
  async get(key: string, now: number, nonce: string, render: () => Promise<DrawnPage>): Promise<KeptPage> {
    const known = this.#pages.get(key)
    if (known && known.until > now) return await known.page
    const page = render().then((drawn) => keep(drawn, nonce))
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

function keep({ status, headers, document }: DrawnPage, nonce: string): KeptPage {
  const form = PageForm.of(document, nonce)
  let packed: Promise<PageForm | undefined> | undefined
  return {
    status,
    headers,
    form,
    packed: async () => {
      packed ??= packAround(form, nonce)
      return await packed
    },
  }
}

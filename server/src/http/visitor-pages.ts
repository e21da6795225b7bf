import type { PagePiece } from '@ondine/web/api/page-context'
import { packAround } from './packed-page.ts'
import { PageForm } from './page-form.ts'

/** A page as the web application rendered it. */
export interface DrawnPage {
  status: number
  headers: [name: string, value: string][]
  /** The page in pieces, some shared with other pages; empty for a redirect. */
  document: readonly PagePiece[]
}

/** A rendered page that is kept. Its nonce is cut out, so that each answer gets its own. */
export interface KeptPage {
  status: number
  headers: [name: string, value: string][]
  /** The page with gaps in place of its nonce. */
  form: PageForm
  /** Returns the same page compressed, see {@link packAround}. Compressed at the first call. */
  packed(): Promise<PageForm | undefined>
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

  /**
   * Returns the page of `key`. Calls `render` when none is still valid at `now`, in milliseconds.
   *
   * @param nonce the nonce that `render` puts into the page
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
      // Faults and redirects are not kept.
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

import type { FastifyBaseLogger } from 'fastify'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import { OwnLists } from '../../../http/own-lists.ts'
import { audienceOf } from '../../rights/entitlements/entitlements.service.ts'
import { Sale } from '../../rights/offers/linked-offers.service.ts'
import type { OfferBook } from '../../rights/offers/offer-book.service.ts'
import type { Reader } from './catalogue.presenter.ts'
import { type CatalogueRows, loadCatalogueRows } from './catalogue-rows.ts'
import { CatalogueView, type Entry } from './catalogue-view.ts'

/** Maximum number of assets that all views together cache as JSON. An asset needs about 5 kB. */
const MOST_KEPT = 40_000
/** Maximum number of cached views. */
const MOST_VIEWS = 200
/** Pause after a read of a large catalogue, as a multiple of the read's duration. */
const READING_SHARE = 8
/** A catalogue with a read time up to this, in milliseconds, is read after every change. */
const QUICK_MS = 50
/**
 * A catalogue with at most this many titles is also read after every change, even if a read is slow on a busy
 * machine or at the first time.
 */
const FEW_TITLES = 1000
const RETRY_MS = 1000
/** Interval between counts of cached assets, in milliseconds. */
const COUNT_MS = 5000

/**
 * The catalogue in memory. It is loaded at the first request, and again after each change by any process
 * (`changes.ts`). A change during a load causes another load.
 */
export class CatalogueMemory {
  readonly #db: Database
  readonly #book: OfferBook
  #sale: Sale | undefined
  readonly #log: FastifyBaseLogger
  readonly #exact: boolean
  #rows: CatalogueRows | undefined
  #stale = true
  #reading: Promise<CatalogueRows> | undefined
  /** Time until which the catalogue is not read again, in the process's monotonic time. */
  #pausedUntil = 0
  /**
   * Whether every answer includes the last change. Always true for a small catalogue. Answers about a large
   * catalogue may be slightly outdated during an import.
   */
  #isExact = true
  #countAt = 0
  readonly #views = new Map<string, CatalogueView>()
  readonly ownLists = new OwnLists<Entry>()

  /**
   * @param options.exact whether answers must always include the last change, even if the catalogue changes often
   */
  constructor(
    db: Database,
    book: OfferBook,
    changes: Changes,
    log: FastifyBaseLogger,
    { exact }: { exact: boolean },
  ) {
    this.#db = db
    this.#book = book
    this.#log = log
    this.#exact = exact
    changes.on('catalogue', () => {
      this.#stale = true
    })
  }

  /** Returns the catalogue as a reader sees it. */
  async view(reader: Reader): Promise<CatalogueView> {
    const rows = await this.#current()
    const key = `${reader.language} ${audienceOf(reader.viewer)}`
    const known = this.#views.get(key)
    if (performance.now() > this.#countAt) this.#bound()
    const isOfToday = known && known.from <= reader.now && reader.now < known.until
    if (isOfToday && known.rows === rows && known.sale.offers === this.#book.list()) return known
    const view = new CatalogueView(rows, this.#saleAt(reader.now), reader)
    this.#views.delete(key)
    this.#views.set(key, view)
    return view
  }

  #saleAt(now: number): Sale {
    const offers = this.#book.list()
    const known = this.#sale
    if (known?.offers === offers && known.from <= now && now < known.until) return known
    this.#sale = new Sale(offers, now)
    return this.#sale
  }

  async #current(): Promise<CatalogueRows> {
    // While a large catalogue is being read again, answers use the rows of the previous read.
    const isRight = !this.#stale && (this.#reading === undefined || !this.#isExact)
    if (this.#rows && (isRight || performance.now() < this.#pausedUntil)) return this.#rows
    const rows = this.#reading && (await this.#reading)
    // The catalogue may have changed again during the read.
    return rows && !this.#stale ? rows : await this.#readOnce()
  }

  async #readOnce(): Promise<CatalogueRows> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return await this.#reading
  }

  async #read(): Promise<CatalogueRows> {
    const startedAt = performance.now()
    // Cleared before the read, because the read may miss a change that happens from now on. Such a change sets
    // `#stale` again.
    this.#stale = false
    try {
      this.#rows = await loadCatalogueRows(this.#db)
      const took = performance.now() - startedAt
      this.#isExact = this.#exact || took < QUICK_MS || this.#rows.assets.size <= FEW_TITLES
      this.#pausedUntil = this.#isExact ? 0 : performance.now() + took * READING_SHARE
    } catch (error) {
      this.#stale = true
      if (!this.#rows) throw error
      this.#log.error({ err: error }, 'the catalogue could not be reloaded; serving the previous one')
      this.#pausedUntil = performance.now() + RETRY_MS
    }
    return this.#rows
  }

  /** Removes the oldest views until the limits are met. */
  #bound(): void {
    this.#countAt = performance.now() + COUNT_MS
    let kept = 0
    for (const view of this.#views.values()) kept += view.size
    for (const [key, view] of this.#views) {
      if (this.#views.size <= 1 || (this.#views.size <= MOST_VIEWS && kept <= MOST_KEPT)) return
      kept -= view.size
      this.#views.delete(key)
    }
  }
}

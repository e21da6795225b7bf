import type { OfferType } from '@ondine/contract/offers'
import { desc, eq } from 'drizzle-orm'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import { type RefreshOptions, refreshOn } from '../../../database/refresh.ts'
import { Semaphore } from '../../../http/semaphore.ts'
import type { OfferTerms } from './offer-terms.ts'
import { offerRevisions, offers } from './offers.table.ts'

/** An offer with the terms of its newest revision. */
export interface CurrentOffer {
  id: number
  key: string
  type: OfferType
  /** Milliseconds since the Unix epoch. */
  withdrawnAt: number | null
  revisionId: number
  revision: number
  terms: OfferTerms
}

/** All current offers, kept in memory, because the catalogue and the shop need the offers on sale. */
export class OfferBook {
  readonly #db: Database
  #all: readonly CurrentOffer[] = []
  #byKey = new Map<string, CurrentOffer>()
  #byId = new Map<number, CurrentOffer>()
  /** Runs one read at a time: concurrent reads could finish in the wrong order and restore old offers. */
  readonly #semaphore = new Semaphore(1)

  private constructor(db: Database) {
    this.#db = db
  }

  /** Loads the offers. Reloads them when any process changes an offer. */
  static async load(db: Database, changes: Changes, following: RefreshOptions): Promise<OfferBook> {
    const book = new OfferBook(db)
    refreshOn(changes, 'offers', following, async () => await book.refresh())
    await book.refresh()
    return book
  }

  /** Returns all offers, in the order of their creation. */
  list(): readonly CurrentOffer[] {
    return this.#all
  }

  ofKey(key: string): CurrentOffer | undefined {
    return this.#byKey.get(key)
  }

  ofId(id: number): CurrentOffer | undefined {
    return this.#byId.get(id)
  }

  /** Returns the offers on sale, the cheapest first (A9-03). @param now milliseconds since the Unix epoch */
  onSale(now: number): CurrentOffer[] {
    return this.#all.filter((offer) => isOnSale(offer, now)).sort(byPrice)
  }

  /** Reloads the offers. The result includes all writes committed before the call. */
  async refresh(): Promise<void> {
    await this.#semaphore.run(async () => await this.#read())
  }

  async #read(): Promise<void> {
    const rows = await this.#db
      .selectDistinctOn([offers.id], {
        id: offers.id,
        key: offers.key,
        type: offers.type,
        withdrawnAt: offers.withdrawnAt,
        revisionId: offerRevisions.id,
        revision: offerRevisions.number,
        terms: offerRevisions.terms,
      })
      .from(offers)
      .innerJoin(offerRevisions, eq(offerRevisions.offerId, offers.id))
      .orderBy(offers.id, desc(offerRevisions.number))
    this.#all = rows
    this.#byKey = new Map(rows.map((row) => [row.key, row]))
    this.#byId = new Map(rows.map((row) => [row.id, row]))
  }
}

/** Compares offers by price, the cheapest first (A9-03). */
export function byPrice(one: CurrentOffer, other: CurrentOffer): number {
  return one.terms.cents - other.terms.cents || one.id - other.id
}

/** Returns whether an offer can be bought now. @param now milliseconds since the Unix epoch */
export function isOnSale({ withdrawnAt, terms }: CurrentOffer, now: number): boolean {
  const { validFrom, validTo } = terms
  return withdrawnAt === null && (validFrom ?? 0) <= now && (validTo === null || now < validTo)
}

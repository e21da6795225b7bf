import { byPrice, type CurrentOffer, isOnSale } from './offer-book.service.ts'

/** Ids of the offers that sell a title. */
export interface LinkedOffers {
  subscriptions: readonly number[]
  /** Rentals and pay-per-view. */
  transactional: readonly number[]
  /** The price of the cheapest rental or pay-per-view, in cents with VAT; null if the title has no such offer. */
  transactionalCents: number | null
}

/** Returns whether an offer sells titles of at least one of these packages. */
export function sellsTitle({ terms }: Pick<CurrentOffer, 'terms'>, packageIds: readonly number[]): boolean {
  return terms.opens.kind !== 'channel' && terms.packageIds.some((id) => packageIds.includes(id))
}

/**
 * The offers on sale during a period. {@link of} finds the offers that sell a title, by the packages that contain it.
 */
export class Sale {
  /** The offers from which this object was built. When the offers change, the caller builds a new `Sale`. */
  readonly offers: readonly CurrentOffer[]
  /**
   * Period in which this object is valid, in milliseconds since the Unix epoch. At the end of the period, the sale
   * of an offer starts or ends.
   */
  readonly from: number
  readonly until: number
  /** The offers on sale, the cheapest first (A9-03). */
  readonly onSale: readonly CurrentOffer[]
  readonly #known = new Map<string, LinkedOffers>()

  /** @param now milliseconds since the Unix epoch */
  constructor(offers: readonly CurrentOffer[], now: number) {
    this.offers = offers
    this.from = now
    this.onSale = offers.filter((offer) => isOnSale(offer, now)).sort(byPrice)
    const turns = offers.flatMap(({ terms: { validFrom, validTo } }) => [validFrom ?? 0, validTo ?? 0])
    this.until = Math.min(Number.POSITIVE_INFINITY, ...turns.filter((turn) => turn > now))
  }

  /** Returns the offers that sell titles of these packages, the cheapest first (A9-03). */
  of(packageIds: readonly number[]): LinkedOffers {
    const key = packageIds.join()
    const known = this.#known.get(key)
    if (known) return known
    const linked = this.onSale.filter((offer) => sellsTitle(offer, packageIds))
    const transactional = linked.filter(({ type }) => type !== 'subscription')
    const found = {
      subscriptions: linked.filter(({ type }) => type === 'subscription').map(({ id }) => id),
      transactional: transactional.map(({ id }) => id),
      transactionalCents: transactional[0]?.terms.cents ?? null,
    }
    this.#known.set(key, found)
    return found
  }
}

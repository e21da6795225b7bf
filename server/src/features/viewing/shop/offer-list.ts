import type { Language } from '@ondine/contract/languages'
import type { Offer, OfferType } from '@ondine/contract/offers'
import { LRUCache } from 'lru-cache'
import { PreparedAnswer } from '../../../http/prepared-answer.ts'
import { Sale } from '../../rights/offers/linked-offers.service.ts'
import type { CurrentOffer, OfferBook } from '../../rights/offers/offer-book.service.ts'
import { promotionOf } from '../../rights/offers/promotions.service.ts'
import type { Buyer } from '../../rights/orders/cart.service.ts'
import { SERVICE_STORE } from '../../rights/subscription-service/service-subscriptions.service.ts'
import { presentOffer, withTaken } from './shop.presenter.ts'

/**
 * The operator's sales settings. Each change of the configuration creates a new object, so the object serves
 * as a key.
 */
export type Sells = Buyer['sells']

/** An offer on sale, for a reader who has not bought it. */
export interface ListedOffer {
  offer: CurrentOffer
  presented: Offer
}

/** Maximum number of bytes of the cached answers: there is one answer for each set of offers that an account holds. */
const MOST_BYTES = 4_000_000

/**
 * The offers on sale in a storefront and a language, the cheapest first (A9-03). They are presented once for all
 * accounts.
 */
export class OfferList {
  readonly offers: readonly ListedOffer[]
  readonly #sale: Sale
  readonly #json = new Map<CurrentOffer, { held: string; notHeld: string }>()
  readonly #answers = new LRUCache<string, PreparedAnswer>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ body }) => body.length,
  })

  constructor(book: OfferBook, sells: Sells, language: Language, now: number) {
    this.#sale = new Sale(book.list(), now)
    const promotionWords = sells.globalPromotion.discountDescription
    this.offers = this.#sale.onSale
      .filter((offer) => isListed(offer, sells))
      .map((offer) => ({
        offer,
        presented: presentOffer(offer, {
          language,
          book,
          promotion: promotionOf(offer, sells),
          promotionWords,
        }),
      }))
  }

  /** Whether the list is valid for these offers at `now`, in milliseconds since the Unix epoch. */
  isCurrent(offers: readonly CurrentOffer[], now: number): boolean {
    const { offers: known, from, until } = this.#sale
    return known === offers && from <= now && now < until
  }

  /**
   * Returns the answer for an account: all offers on sale, or the offers of one type. Offers that the account
   * holds are marked.
   */
  answer(offerType: OfferType | undefined, isHeld: (offer: CurrentOffer) => boolean): PreparedAnswer {
    const wanted = this.offers.filter(({ offer }) => offerType === undefined || offer.type === offerType)
    const held = wanted.map(({ offer }) => isHeld(offer))
    const key = `${offerType} ${held.map(Number).join('')}`
    const known = this.#answers.get(key)
    if (known) return known
    const items = wanted.map((listed, at) => this.#jsonOf(listed)[held[at] === true ? 'held' : 'notHeld'])
    const answer = PreparedAnswer.of(`[${items.join(',')}]`)
    this.#answers.set(key, answer)
    return answer
  }

  #jsonOf({ offer, presented }: ListedOffer): { held: string; notHeld: string } {
    const known = this.#json.get(offer)
    if (known) return known
    const json = {
      held: JSON.stringify(withTaken(presented, { isHeld: true, asset: undefined })),
      notHeld: JSON.stringify(presented),
    }
    this.#json.set(offer, json)
    return json
  }
}

/** The lists of each configuration and language. A list is dropped with its configuration. */
export class OfferLists {
  readonly #book: OfferBook
  readonly #lists = new WeakMap<Sells, Map<Language, OfferList>>()

  constructor(book: OfferBook) {
    this.#book = book
  }

  /** @param now milliseconds since the Unix epoch */
  of(sells: Sells, language: Language, now: number): OfferList {
    const byLanguage = this.#lists.get(sells) ?? new Map<Language, OfferList>()
    const known = byLanguage.get(language)
    if (known?.isCurrent(this.#book.list(), now)) return known
    const list = new OfferList(this.#book, sells, language, now)
    this.#lists.set(sells, byLanguage.set(language, list))
    return list
  }
}

/**
 * Returns whether an offer is listed. If a subscription service sells the subscriptions, only subscriptions with
 * an id at that service are listed (A5-31). If that service sells the rentals, no rental is listed here: an offer
 * of many titles may have a single id at that service.
 */
export function isListed(
  { type, terms }: Pick<CurrentOffer, 'type' | 'terms'>,
  { subscription, transactional }: Sells,
): boolean {
  if (type !== 'subscription') return transactional !== SERVICE_STORE
  return subscription !== SERVICE_STORE || (terms.externalIds[SERVICE_STORE] ?? '').trim() !== ''
}

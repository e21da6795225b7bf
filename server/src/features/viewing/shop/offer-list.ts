import type { Language } from '@ondine/contract/languages'
import type { Offer, OfferType } from '@ondine/contract/offers'
import { LRUCache } from 'lru-cache'
import { PreparedAnswer } from '../../../http/prepared-answer.ts'
import { Sale } from '../../rights/offers/linked-offers.service.ts'
import type { CurrentOffer, OfferBook } from '../../rights/offers/offer-book.service.ts'
import { promotionOf } from '../../rights/offers/promotions.service.ts'
import type { Buyer } from '../../rights/orders/cart.service.ts'
import { planOf } from '../../rights/orders/holdings.service.ts'
import { isListed } from '../../rights/orders/unlocking-offers.service.ts'
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
  /** Whether an offer has a free trial. Otherwise, no answer depends on the trials that an account has used. */
  readonly hasTrials: boolean
  /** JSON of offers, by its state and the id of the offer. */
  readonly #json = new Map<string, string>()
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
    this.hasTrials = this.offers.some(({ offer }) => offer.terms.trialDays > 0)
  }

  /** Whether the list is valid for these offers at `now`, in milliseconds since the Unix epoch. */
  isCurrent(offers: readonly CurrentOffer[], now: number): boolean {
    const { offers: known, from, until } = this.#sale
    return known === offers && from <= now && now < until
  }

  /**
   * Returns the answer for an account: all offers on sale, or the offers of one type. Offers that the account
   * holds are marked. Offers of the plans `tried` have no trial.
   */
  answer(
    offerType: OfferType | undefined,
    isHeld: (offer: CurrentOffer) => boolean,
    tried: ReadonlySet<string>,
  ): PreparedAnswer {
    const wanted = this.offers.filter(({ offer }) => offerType === undefined || offer.type === offerType)
    const states = wanted.map(({ offer }) => Number(isHeld(offer)) + 2 * Number(hasTried(offer, tried)))
    const key = `${offerType} ${states.join('')}`
    const known = this.#answers.get(key)
    if (known) return known
    const items = wanted.map(({ presented }, at) => this.#jsonOf(presented, states[at] ?? 0))
    const answer = PreparedAnswer.of(`[${items.join(',')}]`)
    this.#answers.set(key, answer)
    return answer
  }

  /** @param state 1 for an offer that the account holds, plus 2 if it has used the trial */
  #jsonOf(presented: Offer, state: number): string {
    const key = `${state} ${presented.idOption}`
    const known = this.#json.get(key)
    if (known !== undefined) return known
    const taken = { isHeld: state % 2 === 1, hasTried: state >= 2, asset: undefined }
    const json = JSON.stringify(withTaken(presented, taken))
    this.#json.set(key, json)
    return json
  }
}

/** Returns whether an account has used the trial of an offer. @param tried plans whose trial the account has used */
export function hasTried(offer: Pick<CurrentOffer, 'key' | 'terms'>, tried: ReadonlySet<string>): boolean {
  return offer.terms.trialDays > 0 && tried.has(planOf(offer))
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

import type { DeviceStore } from '@ondine/contract/store-purchases'
import { type CurrentOffer, isOnSale, type OfferBook } from '../offers/offer-book.ts'

/**
 * The offer that a product of a store is. One that is on sale comes first; one that is not counts too, because its product was paid.
 *
 * @param now milliseconds since the Unix epoch
 */
export function productOf(
  book: OfferBook,
  store: DeviceStore,
  productId: string,
  now: number,
): CurrentOffer | undefined {
  const named = book.list().filter(({ terms }) => terms.externalIds[store] === productId)
  return named.find((offer) => isOnSale(offer, now)) ?? named.at(-1)
}

import type { DeviceStore } from '@ondine/contract/store-purchases'
import { type CurrentOffer, isOnSale, type OfferBook } from '../offers/offer-book.service.ts'

/**
 * Returns the offer of a store's product. Offers on sale have precedence. A withdrawn offer is returned if no
 * offer on sale has the product, because the customer has paid.
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

import type { DeviceStore } from '@ondine/contract/store-purchases'
import { type CurrentOffer, isOnSale, type OfferBook } from '../offers/offer-book.service.ts'

/**
 * Returns the offer of a store's product. An offer that is on sale has precedence. A withdrawn offer counts
 * too, because the customer has paid.
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

import type { Language } from '@ondine/contract/languages'
import type { ErrorDetails } from '@ondine/contract/operation'
import type { Playable, Viewer } from '../entitlements/entitlements.service.ts'
import { sellsTitle } from '../offers/linked-offers.service.ts'
import { byPrice, type CurrentOffer, isOnSale, type OfferBook } from '../offers/offer-book.service.ts'
import { SERVICE_STORE } from '../subscription-service/service-subscriptions.service.ts'
import type { Buyer } from './cart.service.ts'
import { titleOf } from './offer-title.ts'

/**
 * Returns whether an offer is listed. If a subscription service sells the subscriptions, only subscriptions with
 * an id at that service are listed (A5-31). If that service sells the rentals, no rental is listed here: an offer
 * of many titles may have a single id at that service.
 */
export function isListed(
  { type, terms }: Pick<CurrentOffer, 'type' | 'terms'>,
  { subscription, transactional }: Buyer['sells'],
): boolean {
  if (type !== 'subscription') return transactional !== SERVICE_STORE
  return subscription !== SERVICE_STORE || (terms.externalIds[SERVICE_STORE] ?? '').trim() !== ''
}

/** Returns whether a purchase of the offer opens the content. */
export function opensContent(
  offer: CurrentOffer,
  { kind, id, packageIds }: Pick<Playable, 'kind' | 'id' | 'packageIds'>,
): boolean {
  const { opens, packageIds: sold } = offer.terms
  if (kind === 'asset') return sellsTitle(offer, packageIds)
  if (opens.kind === 'channel') return opens.channelId === id
  return offer.type === 'subscription' && sold.some((each) => packageIds.includes(each))
}

/**
 * Returns the offers on sale that open locked content, the cheapest first, for the details of the error (spec 16).
 * A child's profile gets none.
 */
export function unlockingOffers(
  book: OfferBook,
  viewer: Viewer,
  content: Playable,
  { sells, language, now }: Pick<Buyer, 'sells' | 'now'> & { language: Language },
): ErrorDetails['offers'] {
  if (viewer.kid) return undefined
  return book
    .list()
    .filter((offer) => opensContent(offer, content) && isListed(offer, sells) && isOnSale(offer, now))
    .sort(byPrice)
    .map((offer) => ({ idOption: offer.id, title: titleOf(offer, language) }))
}

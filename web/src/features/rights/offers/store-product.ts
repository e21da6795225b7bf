import type { Offer } from '@ondine/contract/offers'
import { deviceStore } from '../../../api/device-store.ts'

/** A product of the store of the device. */
export interface StoreProduct {
  /** The product's id in the store. */
  id: string
  isSubscription: boolean
}

/**
 * Returns the product with which the native app sells an offer in the store of the device (A3-23); undefined where the
 * store does not sell it. A store sells one product at a time.
 */
export function storeProduct(
  offers: readonly Pick<Offer, 'externalId' | 'offerType'>[],
): StoreProduct | undefined {
  const [offer] = offers
  const provider = deviceStore()?.provider
  if (offer === undefined || offers.length > 1 || provider === undefined) return undefined
  const id = offer.externalId.find(({ store }) => store === provider)?.id
  return id === undefined ? undefined : { id, isSubscription: offer.offerType === 'subscription' }
}

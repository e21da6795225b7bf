import type { Offer } from '@ondine/contract/offers'
import { deviceStore } from '../../../api/device-store.ts'

/** A product of the store of the device. */
export interface StoreProduct {
  /** The product's id in the store. */
  id: string
  isSubscription: boolean
}

/**
 * Returns the product of the device's store for an offer, in the native app (A3-23). Undefined if the store does
 * not sell the offer. A store sells one product at a time, so undefined for several offers.
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

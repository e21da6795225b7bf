import type { Offer } from '@ondine/contract/offers'
import { useQuery } from '@tanstack/react-query'
import type { SoldContent } from './offer-paths.ts'
import { offersOfQuery } from './offers-query.ts'
import { useShop } from './use-shop.ts'

/** The offers that unlock a title or a channel for the current viewer, the cheapest first. Each list can be empty. */
export interface Unlocking {
  /** Subscriptions, and options of subscriptions. */
  subscriptions: Offer[]
  /** Single purchases: rentals, pay-per-view. */
  singles: Offer[]
}

/**
 * Returns the offers for a title or a channel that this service sells. Leaves out offers that the account already
 * has.
 */
export function unlockingOf(
  offers: readonly Offer[],
  sold: Pick<ReturnType<typeof useShop>, 'sellsSubscriptions' | 'sellsSingles'>,
): Unlocking {
  const fresh = offers.filter(({ userValidityActive }) => !userValidityActive)
  return {
    subscriptions: sold.sellsSubscriptions
      ? fresh.filter(({ offerType }) => offerType === 'subscription')
      : [],
    singles: sold.sellsSingles ? fresh.filter(({ offerType }) => offerType !== 'subscription') : [],
  }
}

/**
 * Returns the offers that unlock a title or a channel. Sends no request if this service sells nothing, or if `content`
 * is undefined.
 */
export function useUnlocking(content: SoldContent | undefined): Unlocking {
  const sold = useShop()
  const { data = NO_OFFERS } = useQuery({
    ...offersOfQuery(content?.contentId ?? 0, content?.contentType),
    enabled: content !== undefined && (sold.sellsSubscriptions || sold.sellsSingles),
  })
  return unlockingOf(data, sold)
}

/** Returns whether any offer unlocks a title or a channel. False if `content` is undefined. */
export function useIsSold(content: SoldContent | undefined): boolean {
  const { subscriptions, singles } = useUnlocking(content)
  return subscriptions.length + singles.length > 0
}

const NO_OFFERS: Offer[] = []

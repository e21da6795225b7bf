import type { Offer } from '@ondine/contract/offers'
import { useQuery } from '@tanstack/react-query'
import type { SoldContent } from './offer-paths.ts'
import { offersOfQuery } from './offers-query.ts'
import { useShop } from './use-shop.ts'

/** What opens a title or a channel for who looks at the page, the cheapest first. Both are empty where nothing does. */
export interface Unlocking {
  /** Subscriptions, and options on top of one. */
  subscriptions: Offer[]
  /** What it is bought with alone: rentals, pay-per-view. */
  singles: Offer[]
}

/** What of the `offers` of a content is sold in this service. What is held already opens nothing more. */
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

/** What opens a content. Nothing is asked where nothing is sold, or without a content. */
export function useUnlocking(content: SoldContent | undefined): Unlocking {
  const sold = useShop()
  const { data = NO_OFFERS } = useQuery({
    ...offersOfQuery(content?.contentId ?? 0, content?.contentType),
    enabled: content !== undefined && (sold.sellsSubscriptions || sold.sellsSingles),
  })
  return unlockingOf(data, sold)
}

/** Whether anything opens a content. Nothing does without one. */
export function useIsSold(content: SoldContent | undefined): boolean {
  const { subscriptions, singles } = useUnlocking(content)
  return subscriptions.length + singles.length > 0
}

const NO_OFFERS: Offer[] = []

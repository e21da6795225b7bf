import type { UserOffer } from '@ondine/contract/orders'
import type { Subscription } from '@ondine/contract/subscriptions'

/** The plans that an account has as gifts: those it may watch without having subscribed to them. The first to begin comes first. */
export function giftsOf(
  options: readonly UserOffer[],
  subscriptions: readonly Pick<Subscription, 'idOption'>[],
): UserOffer[] {
  const subscribed = new Set(subscriptions.map(({ idOption }) => idOption))
  return options
    .filter(
      ({ idOption, offerType, userValidityPending }) =>
        offerType === 'subscription' && !userValidityPending && !subscribed.has(idOption),
    )
    .toSorted((one, other) => (one.userValidityFrom ?? 0) - (other.userValidityFrom ?? 0))
}

import type { Offer } from '@ondine/contract/offers'
import type { Subscription } from '@ondine/contract/subscriptions'
import { useQuery } from '@tanstack/react-query'
import { isChild, useSession } from '../../ground/session/session.ts'
import { subscriptionsQuery } from './subscriptions-query.ts'

/**
 * The relation of an offer to the rights of an account. `open`: the account can buy the offer. `own`: the account
 * has the offer as a subscription that is managed here. `held`: the account has the rights of the offer in another
 * way. `change`: the account can change its plan to this offer.
 */
export type Standing = 'open' | 'own' | 'held' | 'change'

type Sold = Pick<Offer, 'idOption' | 'userValidityActive'>

/** Returns the relation of an offer to the subscriptions of an account. */
export function standingOf(
  { idOption, userValidityActive }: Sold,
  subscriptions: readonly Pick<Subscription, 'idOption' | 'replaceableBy'>[],
): Standing {
  if (subscriptions.some((each) => each.idOption === idOption)) return 'own'
  if (subscriptions.some(({ replaceableBy }) => replaceableBy.includes(idOption))) return 'change'
  return userValidityActive ? 'held' : 'open'
}

/** Returns a function that returns the relation of an offer to the rights of the current viewer. */
export function useStandings(): (offer: Sold) => Standing {
  const session = useSession()
  const { data: subscriptions = [] } = useQuery({
    ...subscriptionsQuery,
    enabled: session.account !== null && !isChild(session),
  })
  return (offer) => standingOf(offer, subscriptions)
}

/** Returns the relation of one offer to the rights of the current viewer. */
export function useStanding(offer: Sold): Standing {
  return useStandings()(offer)
}

import type { Offer } from '@ondine/contract/offers'
import type { Subscription } from '@ondine/contract/subscriptions'
import { useQuery } from '@tanstack/react-query'
import { isChild, useSession } from '../../ground/session/session.ts'
import { subscriptionsQuery } from './subscriptions-query.ts'

/**
 * The relation of an offer to the account's rights. `open`: can be bought. `own`: a subscription that is
 * managed here. `held`: the account has the rights, but not by a subscription. `change`: another plan, to
 * which the account's plan can change.
 */
export type Standing = 'open' | 'own' | 'held' | 'change'

type Sold = Pick<Offer, 'idOption' | 'userValidityActive'>

/** Returns the relation of an offer to an account's subscriptions. */
export function standingOf(
  { idOption, userValidityActive }: Sold,
  subscriptions: readonly Pick<Subscription, 'idOption' | 'replaceableBy'>[],
): Standing {
  if (subscriptions.some((each) => each.idOption === idOption)) return 'own'
  if (subscriptions.some(({ replaceableBy }) => replaceableBy.includes(idOption))) return 'change'
  return userValidityActive ? 'held' : 'open'
}

/** Returns a function that gives the relation of an offer to the current viewer's rights. */
export function useStandings(): (offer: Sold) => Standing {
  const session = useSession()
  const { data: subscriptions = [] } = useQuery({
    ...subscriptionsQuery,
    enabled: session.account !== null && !isChild(session),
  })
  return (offer) => standingOf(offer, subscriptions)
}

/** Returns the relation of one offer to the current viewer's rights. */
export function useStanding(offer: Sold): Standing {
  return useStandings()(offer)
}

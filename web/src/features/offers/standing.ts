import type { Offer } from '@ondine/contract/offers'
import type { Subscription } from '@ondine/contract/subscriptions'
import { useQuery } from '@tanstack/react-query'
import { isChild, useSession } from '../accounts/session.ts'
import { subscriptionsQuery } from './subscriptions-query.ts'

/**
 * How an offer stands to what the account has: `open` to be bought; `own`, a subscription that is managed here; `held` by rights that
 * no subscription gave; `change` for another plan, which the account's own is changed to.
 */
export type Standing = 'open' | 'own' | 'held' | 'change'

type Sold = Pick<Offer, 'idOption' | 'userValidityActive'>

/** How an offer stands to the subscriptions of an account. */
export function standingOf(
  { idOption, userValidityActive }: Sold,
  subscriptions: readonly Pick<Subscription, 'idOption' | 'replaceableBy'>[],
): Standing {
  if (subscriptions.some((each) => each.idOption === idOption)) return 'own'
  if (subscriptions.some(({ replaceableBy }) => replaceableBy.includes(idOption))) return 'change'
  return userValidityActive ? 'held' : 'open'
}

/** How offers stand to what who looks at the page has. */
export function useStandings(): (offer: Sold) => Standing {
  const session = useSession()
  const { data: subscriptions = [] } = useQuery({
    ...subscriptionsQuery,
    enabled: session.account !== null && !isChild(session),
  })
  return (offer) => standingOf(offer, subscriptions)
}

/** The same for one offer. */
export function useStanding(offer: Sold): Standing {
  return useStandings()(offer)
}

import type { Configuration } from '@ondine/contract/configuration'
import { resolveAddress, type Target } from '../links/content-link.ts'

/** Where somebody who wants to buy gets on (A4.2-01, A4.8-11, A4.8-12). */
export type Shop =
  /** On the screens of offers of this service. */
  | { kind: 'here' }
  /** At the operator's own shop (decision 37). */
  | { kind: 'elsewhere'; target: Target }
  /** A native app sells nothing: on the website. */
  | { kind: 'website' }
  /** Nothing is sold. */
  | { kind: 'closed' }

type Sold = Pick<Configuration, 'offers'>

/** Where the screen of offers leads. `native`: whether the native app asks. */
export function shopOf({ offers }: Sold, native: boolean): Shop {
  const shop = offers.isOfferScreenEnable ? soldAt(offers) : CLOSED
  return isForbidden(offers, native) && shop.kind !== 'closed' ? { kind: 'website' } : shop
}

/** Where a title is rented, or failing that subscribed to: renting does not need the screen of offers. */
export function rentalShopOf(configuration: Sold, native: boolean): Shop {
  const { offers } = configuration
  if (sellsSingles(configuration, native)) return HERE
  return offers.transactional === 'enabled' ? { kind: 'website' } : shopOf(configuration, native)
}

/** Whether titles and channels are bought alone in this service itself (A4.2-02). */
export function sellsSingles({ offers }: Sold, native: boolean): boolean {
  return offers.transactional === 'enabled' && !isForbidden(offers, native)
}

/** Whether there are subscriptions to choose from in this service itself. */
export function sellsSubscriptions({ offers }: Sold, native: boolean): boolean {
  return offers.isOfferScreenEnable && hasSubscriptions(offers) && !isForbidden(offers, native)
}

/** Whether subscriptions are bought at a third-party subscription service (decision 37). */
export function subscribesAtService({ offers }: Sold): boolean {
  return offers.subscription === 'cleeng-type'
}

const HERE: Shop = { kind: 'here' }
/** The shop of whoever nothing is sold to. */
export const CLOSED: Shop = { kind: 'closed' }

function soldAt(offers: Configuration['offers']): Shop {
  // Without an address there is nowhere to go.
  if (offers.subscription === 'external' && offers.externalUrl !== '') {
    const target = resolveAddress(offers.externalUrl)
    const newWindow = offers.billingRedirectionMode === 'new-tab'
    return { kind: 'elsewhere', target: target.kind === 'external' ? { ...target, newWindow } : target }
  }
  return hasSubscriptions(offers) || offers.transactional === 'enabled' ? HERE : CLOSED
}

function hasSubscriptions({ subscription }: Configuration['offers']): boolean {
  return subscription === 'enabled' || subscription === 'cleeng-type'
}

function isForbidden({ mobilePayment }: Configuration['offers'], native: boolean): boolean {
  return native && !mobilePayment
}

import type { Configuration } from '@ondine/contract/configuration'
import { resolveAddress, type Target } from '../../ground/links/content-link.ts'

/** Where a viewer can buy (A4.2-01, A4.8-11, A4.8-12). */
export type Shop =
  /** The viewer buys on the offer screens of this service. */
  | { kind: 'here' }
  /** The viewer buys in the operator's external shop (spec 37). */
  | { kind: 'elsewhere'; target: Target }
  /** The viewer buys on the website, because a native app sells nothing. */
  | { kind: 'website' }
  /** The viewer cannot buy anything. */
  | { kind: 'closed' }

type Sold = Pick<Configuration, 'offers'>

/** Returns where subscriptions are sold. `native` says whether this is the native app. */
export function shopOf({ offers }: Sold, native: boolean): Shop {
  const shop = offers.isOfferScreenEnable ? soldAt(offers) : CLOSED
  return isForbidden(offers, native) && shop.kind !== 'closed' ? { kind: 'website' } : shop
}

/**
 * Returns where a title can be rented. If titles are not rented, returns where subscriptions are sold. Rentals are sold
 * even if the screen of offers is disabled.
 */
export function rentalShopOf(configuration: Sold, native: boolean): Shop {
  const { offers } = configuration
  if (sellsSingles(configuration, native)) return HERE
  return offers.transactional === 'enabled' ? { kind: 'website' } : shopOf(configuration, native)
}

/**
 * Returns whether this service itself sells single titles and channels (A4.2-02). False if the website or another
 * shop sells them.
 */
export function sellsSingles({ offers }: Sold, native: boolean): boolean {
  return offers.transactional === 'enabled' && !isForbidden(offers, native)
}

/** Returns whether this service itself sells subscriptions. */
export function sellsSubscriptions({ offers }: Sold, native: boolean): boolean {
  return offers.isOfferScreenEnable && hasSubscriptions(offers) && !isForbidden(offers, native)
}

/** Returns whether subscriptions are bought at a third-party subscription service (spec 37). */
export function subscribesAtService({ offers }: Sold): boolean {
  return offers.subscription === 'cleeng-type'
}

const HERE: Shop = { kind: 'here' }
/** The shop of viewers who cannot buy anything. */
export const CLOSED: Shop = { kind: 'closed' }

function soldAt(offers: Configuration['offers']): Shop {
  // An external shop without an address is ignored.
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

/** Returns whether this is a native app that may not sell (A4.8-12). */
export function isForbidden({ mobilePayment }: Configuration['offers'], native: boolean): boolean {
  return native && !mobilePayment
}

import { environment } from '../../../api/environment.ts'
import type { RouteName } from '../../../routes.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { useNative } from '../../ground/platform/use-platform.ts'
import { isChild, useSession } from '../../ground/session/session.ts'
import { shareAddress } from '../../ground/share/share-address.ts'
import { CLOSED, rentalShopOf, type Shop, sellsSingles, sellsSubscriptions, shopOf } from './shop.ts'

/**
 * Returns where the viewer can buy subscriptions, rentals and other single purchases (see {@link shopOf},
 * {@link rentalShopOf}, {@link sellsSubscriptions} and {@link sellsSingles}). A child cannot buy (spec 46), and
 * sees no offers.
 */
export function useShop(): Shops {
  const configuration = useConfiguration()
  const native = useNative()
  if (isChild(useSession())) return NOTHING_FOR_CHILDREN
  return {
    shop: shopOf(configuration, native),
    rentalShop: rentalShopOf(configuration, native),
    sellsSubscriptions: sellsSubscriptions(configuration, native),
    sellsSingles: sellsSingles(configuration, native),
  }
}

interface Shops {
  shop: Shop
  rentalShop: Shop
  sellsSubscriptions: boolean
  sellsSingles: boolean
}

const NOTHING_FOR_CHILDREN: Shops = {
  shop: CLOSED,
  rentalShop: CLOSED,
  sellsSubscriptions: false,
  sellsSingles: false,
}

/**
 * Returns the address of a screen on the website, by default of the offers, for an app that may not sell. The address
 * begins with the operator's address for shared pages (V3-46).
 */
export function useWebsite(screen: RouteName = 'offers'): string {
  const { settings } = useConfiguration()
  return shareAddress(pathOf(screen), { base: settings['share-url'], origin: environment().origin })
}

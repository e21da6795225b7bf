import { environment } from '../../api/environment.ts'
import { isChild, useSession } from '../accounts/session.ts'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { pathOf } from '../links/content-link.ts'
import { useNative } from '../platform/use-platform.ts'
import { shareAddress } from '../share/share-address.ts'
import { CLOSED, rentalShopOf, type Shop, sellsSingles, sellsSubscriptions, shopOf } from './shop.ts'

/**
 * Where who watches can buy, as {@link shopOf}, {@link rentalShopOf}, {@link sellsSubscriptions} and {@link sellsSingles} have it. A
 * child buys nothing (decision 46), and is not told that it could.
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

/** Address of the offers on the website, to which an app sends who may not buy in it: where shared addresses begin (V3-46). */
export function useWebsite(): string {
  const { settings } = useConfiguration()
  return shareAddress(pathOf('offers'), { base: settings['share-url'], origin: environment().origin })
}

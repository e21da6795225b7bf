import { useStoresDownloads } from '../features/content/downloads/stored-mark.ts'
import { useConfiguration } from '../features/ground/configuration/use-configuration.ts'
import { useNative } from '../features/ground/platform/use-platform.ts'
import { isChild, useSession } from '../features/ground/session/session.ts'
import { useShop } from '../features/rights/offers/use-shop.ts'
import { switchedOff } from './guards.ts'
import type { MenuReader } from './menu-policy.ts'

/** Returns the facts about the current viewer that decide which links a menu has. */
export function useMenuReader(): MenuReader {
  const session = useSession()
  const configuration = useConfiguration()
  const { accounts, downloads } = configuration
  const isNative = useNative()
  const stores = useStoresDownloads()
  const { shop, rentalShop } = useShop()
  const isSingleSignOn = accounts.authentication.mode === 'sso'
  return {
    signedIn: session.account !== null,
    isChild: isChild(session),
    mayRegister: accounts.isAllowedToRegister && !isSingleSignOn,
    isSingleSignOn,
    hasDownloads: stores || (isNative ? downloads.downloadEnabled : downloads.downloadWebEnabled),
    switchedOff: switchedOff(configuration),
    shop: shop.kind,
    rentalShop: rentalShop.kind,
  }
}

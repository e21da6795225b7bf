import { isChild, useSession } from '../features/accounts/session.ts'
import { useConfiguration } from '../features/configuration/use-configuration.ts'
import { useShop } from '../features/offers/use-shop.ts'
import type { MenuReader } from './closed-screens.ts'

/** Returns the viewer of the menus. */
export function useMenuReader(): MenuReader {
  const session = useSession()
  const { accounts } = useConfiguration()
  const { shop, rentalShop } = useShop()
  const isSingleSignOn = accounts.authentication.mode === 'sso'
  return {
    signedIn: session.account !== null,
    isChild: isChild(session),
    mayRegister: accounts.isAllowedToRegister && !isSingleSignOn,
    isSingleSignOn,
    shop: shop.kind,
    rentalShop: rentalShop.kind,
  }
}

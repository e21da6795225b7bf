import { useSession } from '../features/accounts/session.ts'
import { useShop } from '../features/offers/use-shop.ts'
import type { MenuReader } from './closed-screens.ts'

/** Whose menus are shown. */
export function useMenuReader(): MenuReader {
  const { account } = useSession()
  const { shop, rentalShop } = useShop()
  return { signedIn: account !== null, shop: shop.kind, rentalShop: rentalShop.kind }
}

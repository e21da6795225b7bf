import type { Target } from '../features/links/content-link.ts'
import { routeAt } from '../features/links/route-at.ts'
import type { Shop } from '../features/offers/shop.ts'
import { REDIRECTS, type RouteName } from '../routes.ts'
import { isForChildren } from './account/account-entries.ts'

/** Screens that are not open yet. Their routes say so, and no menu leads to them. */
export const CLOSED_SCREENS = [
  'library-completed-records',
  'library-downloads',
  'library-scheduled-records',
] as const satisfies RouteName[]

/** A screen that may say that it is not open yet. */
export type ClosedScreen = (typeof CLOSED_SCREENS)[number]

/** Whose menu it is. */
export interface MenuReader {
  signedIn: boolean
  isChild: boolean
  /** Whether a visitor may make an account here. */
  mayRegister: boolean
  /** Whether details and password are kept elsewhere, by single sign-on. */
  isSingleSignOn: boolean
  shop: Shop['kind']
  rentalShop: Shop['kind']
}

/**
 * Whether a menu may lead to `target`: not to a screen that is not open, a visitor to no account, somebody signed in to no way in,
 * and a child to nothing of the grown-ups' account (decision 46).
 */
export function mayLeadTo(target: Target, reader: MenuReader): boolean {
  if (target.kind === 'external') return true
  const at = routeAt(target.path.split(/[?#]/)[0] ?? '')?.name
  if (at === undefined) return true
  const name: RouteName = at in REDIRECTS ? REDIRECTS[at as keyof typeof REDIRECTS] : at
  if (CLOSED_SCREENS.some((closed) => closed === name)) return false
  if (name === 'offers' || name === 'offers-details') return reader.shop !== 'closed'
  if (name === 'offers-cart') return reader.rentalShop !== 'closed'
  // One is reached with an offer, the other follows a purchase.
  if (name === 'offers-checkout' || name === 'offers-confirmation') return false
  if (name.startsWith('auth-')) return !reader.signedIn
  if (name.startsWith('register')) return !reader.signedIn && reader.mayRegister
  if (name.startsWith('library-')) return reader.signedIn && !reader.isChild
  return !name.startsWith('account-') || isOwn(name, reader)
}

/** Whether a screen of the account is there for who reads the menu. */
function isOwn(name: RouteName, { signedIn, isChild, isSingleSignOn }: MenuReader): boolean {
  if (!signedIn || (isSingleSignOn && (name === 'account-informations' || name === 'account-security')))
    return false
  return !isChild || isForChildren(name)
}

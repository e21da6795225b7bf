import type { Target } from '../features/ground/links/content-link.ts'
import { routeAt } from '../features/ground/links/route-at.ts'
import type { Shop } from '../features/rights/offers/shop.ts'
import { REDIRECTS, type RouteName } from '../routes.ts'
import { isForChildren } from './account/account-entries.ts'

/** The screens of recordings. They are open to a child's profile, which has its own recordings. */
const RECORDS: ReadonlySet<RouteName> = new Set(['library-completed-records', 'library-scheduled-records'])

/** The facts about a viewer that decide which links a menu has. */
export interface MenuReader {
  signedIn: boolean
  isChild: boolean
  /** Whether a viewer who is not signed in may register here. */
  mayRegister: boolean
  /** Whether an external single sign-on manages the account's personal details and password. */
  isSingleSignOn: boolean
  /** Whether downloads are offered, or are still stored on this device. A child's profile can have downloads, too. */
  hasDownloads: boolean
  /** The screens that the operator has switched off. */
  switchedOff: readonly RouteName[]
  shop: Shop['kind']
  rentalShop: Shop['kind']
}

/**
 * Returns whether a menu may link to `target`. No viewer gets links to screens that are switched off. Viewers who are
 * not signed in get no links to the account, signed-in viewers no links to the sign-in screens, and children no links to
 * the adults' account (spec 46).
 */
export function mayLeadTo(target: Target, reader: MenuReader): boolean {
  if (target.kind === 'external') return true
  const at = routeAt(target.path.split(/[?#]/)[0] ?? '')?.name
  if (at === undefined) return true
  const name: RouteName = at in REDIRECTS ? REDIRECTS[at as keyof typeof REDIRECTS] : at
  if (reader.switchedOff.includes(name)) return false
  if (name === 'offers' || name === 'offers-details') return reader.shop !== 'closed'
  if (name === 'offers-cart') return reader.rentalShop !== 'closed'
  // The checkout needs an offer, and the confirmation follows a purchase, so no menu links to them.
  if (name === 'offers-checkout' || name === 'offers-confirmation') return false
  if (name.startsWith('auth-')) return !reader.signedIn
  if (name.startsWith('register')) return !reader.signedIn && reader.mayRegister
  if (RECORDS.has(name)) return reader.signedIn
  if (name === 'library-downloads') return reader.signedIn && reader.hasDownloads
  if (name.startsWith('library-')) return reader.signedIn && !reader.isChild
  return !name.startsWith('account-') || isOwn(name, reader)
}

/** Returns whether a screen of the account is open to this viewer. */
function isOwn(name: RouteName, { signedIn, isChild, isSingleSignOn }: MenuReader): boolean {
  if (!signedIn || (isSingleSignOn && (name === 'account-informations' || name === 'account-security')))
    return false
  return !isChild || isForChildren(name)
}

import type { Configuration } from '@ondine/contract/configuration'
import { pathOf, resolveAddress, type Target } from '../../features/links/content-link.ts'
import type { RouteName } from '../../routes.ts'

/** An entry of the account settings, in the words of the configuration. */
export type AccountEntryName = Configuration['navigation']['getAccountSettingsMenu'][number]

/** An entry of the account settings with where it leads. */
export interface AccountEntry {
  name: AccountEntryName
  target: Target
}

/** What decides which entries there are. */
export interface AccountConditions {
  configuration: Pick<Configuration, 'navigation' | 'offers' | 'accounts'>
  /** Whether the default profile is the active one. */
  isDefaultProfile: boolean
  /** Whether a child's profile is the active one. */
  isChild: boolean
}

const ROUTES: Record<Exclude<AccountEntryName, 'account-management'>, RouteName> = {
  favorites: 'account-favorites',
  continue: 'account-continue',
  products: 'account-products',
  informations: 'account-informations',
  security: 'account-security',
  'parental-code': 'account-parental-code',
  devices: 'account-devices',
}

/** The account settings that belong to the profile. All others belong to the account, which a child does not change (decision 46). */
const OF_PROFILES: ReadonlySet<AccountEntryName> = new Set(['favorites', 'continue'])

/** Whether a screen of the account settings is there for a child's profile. */
export function isForChildren(route: RouteName): boolean {
  return Object.entries(ROUTES).some(
    ([name, screen]) => screen === route && OF_PROFILES.has(name as AccountEntryName),
  )
}

/**
 * The account settings: the configured entries, and the devices in any case, once (A2.1-32, decision 11). The parental code
 * belongs to parental control and the default profile, the products to the screen of offers; under single sign-on an address outside stands in
 * the place of informations and security. A child's profile sees its own entries only.
 */
export function accountEntries({
  configuration,
  isDefaultProfile,
  isChild,
}: AccountConditions): AccountEntry[] {
  const { navigation, offers, accounts } = configuration
  const isSingleSignOn = accounts.authentication.mode === 'sso'
  const management = isSingleSignOn ? accounts.authentication.accountManagementUrl : ''
  const wanted = new Set<AccountEntryName>([...navigation.getAccountSettingsMenu, 'devices'])
  if (management !== '') wanted.add('account-management')
  const hidden: Partial<Record<AccountEntryName, boolean>> = {
    products: !offers.isOfferScreenEnable,
    informations: isSingleSignOn,
    security: isSingleSignOn,
    'parental-code': !(isDefaultProfile && accounts.isParentalControlEnabled),
    'account-management': management === '',
  }
  return [...wanted]
    .filter((name) => hidden[name] !== true && (!isChild || OF_PROFILES.has(name)))
    .map((name) => ({
      name,
      target:
        name === 'account-management'
          ? resolveAddress(management)
          : { kind: 'internal', path: pathOf(ROUTES[name]) },
    }))
}

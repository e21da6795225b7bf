import type { Configuration } from '@ondine/contract/configuration'
import { pathOf, resolveAddress, type Target } from '../../features/ground/links/content-link.ts'
import type { RouteName } from '../../routes.ts'

/** The name of an entry in the menu of account settings, as in the configuration. */
type AccountEntryName = Configuration['navigation']['getAccountSettingsMenu'][number]

/** An entry in the menu of account settings, with its target. */
export interface AccountEntry {
  name: AccountEntryName
  target: Target
}

/** The conditions that determine the entries of the account menus. */
export interface AccountConditions {
  configuration: Pick<Configuration, 'navigation' | 'offers' | 'accounts'>
  /** Whether the default profile is active. */
  isDefaultProfile: boolean
  /** Whether a child's profile is active. */
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

/**
 * Entries that concern the profile. All other entries concern the account, which a child cannot change (spec 46).
 */
const OF_PROFILES: ReadonlySet<AccountEntryName> = new Set(['favorites', 'continue'])

/** Returns whether a screen of the account settings is available to a child's profile. */
export function isForChildren(route: RouteName): boolean {
  return Object.entries(ROUTES).some(
    ([name, screen]) => screen === route && OF_PROFILES.has(name as AccountEntryName),
  )
}

/**
 * Returns the entries of the account settings (A2.1-32, spec 11). These are the configured entries. The entry of the
 * devices is always among them, exactly once. The entry of the parental code requires parental control and the
 * default profile. The entry of the products requires the offers screen. Under single sign-on, one external address
 * replaces the entries `informations` and `security`. A child's profile gets only the entries that concern the
 * profile.
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

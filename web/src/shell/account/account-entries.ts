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
 * The account settings: the configured entries, and the devices in any case, once (A2.1-32, decision 11). The parental code
 * belongs to parental control and the default profile, the products to the screen of offers; under single sign-on an address outside stands in
 * the place of informations and security.
 */
export function accountEntries({ configuration, isDefaultProfile }: AccountConditions): AccountEntry[] {
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
    .filter((name) => hidden[name] !== true)
    .map((name) => ({
      name,
      target:
        name === 'account-management'
          ? resolveAddress(management)
          : { kind: 'internal', path: pathOf(ROUTES[name]) },
    }))
}

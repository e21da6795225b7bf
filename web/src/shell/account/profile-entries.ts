import type { Configuration } from '@ondine/contract/configuration'
import { pathOf, resolveAddress, type Target } from '../../features/ground/links/content-link.ts'
import { type AccountConditions, accountEntries } from './account-entries.ts'

/**
 * An entry of the profile menu: an action, or a link. `title` is the operator's text by language, if there is one.
 */
export type ProfileEntry =
  | { name: 'switch-profile' | 'update-profile' | 'logout' }
  | { name: 'settings' | 'library' | 'notifications'; target: Target }
  | { name: string; target: Target; title: Readonly<Record<string, string>> }

/**
 * Returns the entries of the profile menu, in this order (V2.4-16 to V2.4-19): switching profiles, or editing the
 * profile if the account can have only one; the first account setting; the library, if the operator shows it; the
 * operator's items; signing out. Of the operator's items (`getMenuProfile.items`), only items with an address
 * are included, and `notifications` if the operator offers notifications. The native app has no notifications.
 *
 * @param isMultiProfile undefined if the session comes from an older service, which does not return it
 */
export function profileEntries(
  conditions: AccountConditions,
  isMultiProfile: boolean | undefined,
  isNative: boolean,
): ProfileEntry[] {
  const { navigation, accounts } = conditions.configuration
  const hasPush = accounts.pushEnabled && !isNative
  const [settings] = accountEntries(conditions)
  return [
    { name: (isMultiProfile ?? accounts.isMultiProfileEnabled) ? 'switch-profile' : 'update-profile' },
    ...(settings === undefined ? [] : [{ name: 'settings' as const, target: settings.target }]),
    ...(navigation.isPurchasesTabEnable
      ? [{ name: 'library' as const, target: { kind: 'internal' as const, path: pathOf('library-rentals') } }]
      : []),
    ...navigation.getMenuProfile.items.flatMap((name) =>
      extraEntry(name, navigation.getMenuProfile, hasPush),
    ),
    { name: 'logout' },
  ]
}

/** Names of the built-in entries. An operator's item cannot have such a name. */
const TAKEN = new Set(['switch-profile', 'update-profile', 'settings', 'library', 'logout', 'items'])

function extraEntry(
  name: string,
  menu: Configuration['navigation']['getMenuProfile'],
  hasPush: boolean,
): ProfileEntry[] {
  if (TAKEN.has(name)) return []
  const { url, title } = (Object.hasOwn(menu, name) ? menu[name] : { url: '', title: {} }) as {
    url: string
    title: Readonly<Record<string, string>>
  }
  // The switch for notifications is on the screen of the devices (docs/decisions/0097).
  const address = url || (name === 'notifications' && hasPush ? 'account-devices' : '')
  return address === '' ? [] : [{ name, target: resolveAddress(address), title }]
}

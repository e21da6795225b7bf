import type { Configuration } from '@ondine/contract/configuration'
import { pathOf, resolveAddress, type Target } from '../../features/links/content-link.ts'
import { type AccountConditions, accountEntries } from './account-entries.ts'

/** What the profile menu offers, in order: an act, or somewhere to go. `title` is the operator's own, by language. */
export type ProfileEntry =
  | { name: 'switch-profile' | 'update-profile' | 'logout' }
  | { name: 'settings' | 'library' | 'notifications'; target: Target }
  | { name: string; target: Target; title: Readonly<Record<string, string>> }

/**
 * The profile menu (V2.4-16 to V2.4-19): switching profiles or, with a single one, changing it; the first of the account
 * settings; the library if there are purchases; what the operator adds; signing out. Of the items named in
 * `getMenuProfile.items`, `notifications` and those with an address are shown.
 */
export function profileEntries(conditions: AccountConditions): ProfileEntry[] {
  const { navigation, accounts } = conditions.configuration
  const [settings] = accountEntries(conditions)
  return [
    { name: accounts.isMultiProfileEnabled ? 'switch-profile' : 'update-profile' },
    ...(settings === undefined ? [] : [{ name: 'settings' as const, target: settings.target }]),
    ...(navigation.isPurchasesTabEnable
      ? [{ name: 'library' as const, target: { kind: 'internal' as const, path: pathOf('library-rentals') } }]
      : []),
    ...navigation.getMenuProfile.items.flatMap((name) => extraEntry(name, navigation.getMenuProfile)),
    { name: 'logout' },
  ]
}

/** Names that mean something else in the menu. */
const TAKEN = new Set(['switch-profile', 'update-profile', 'settings', 'library', 'logout', 'items'])

function extraEntry(name: string, menu: Configuration['navigation']['getMenuProfile']): ProfileEntry[] {
  if (TAKEN.has(name) || !Object.hasOwn(menu, name)) return []
  const { url, title } = menu[name] as { url: string; title: Readonly<Record<string, string>> }
  return url === '' ? [] : [{ name, target: resolveAddress(url), title }]
}

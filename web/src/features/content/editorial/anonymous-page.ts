import type { Configuration } from '@ondine/contract/configuration'

/**
 * Returns the slug of the page that replaces home for visitors of a private service (V2.3-05, spec 1).
 * Undefined if no page replaces home.
 */
export function anonymousPage(
  {
    accounts,
    home,
  }: {
    accounts: Pick<Configuration['accounts'], 'isPrivateAccessEnabled'>
    home: Pick<Configuration['home'], 'anonymousPage'>
  },
  signedIn: boolean,
): string | undefined {
  if (signedIn || !accounts.isPrivateAccessEnabled || home.anonymousPage === '') return undefined
  return home.anonymousPage
}

import type { Configuration } from '@ondine/contract/configuration'

/**
 * Returns the slug of the page that replaces home for visitors of a private service that has one (V2.3-05, spec 1); undefined
 * elsewhere.
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

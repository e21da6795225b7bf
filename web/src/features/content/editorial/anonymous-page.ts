import type { Configuration } from '@ondine/contract/configuration'

/**
 * Returns the slug of the editorial page that signed-out viewers see instead of home, if the service is private
 * (V2.3-05, spec 1). Undefined if they see home.
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

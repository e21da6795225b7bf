import type { Configuration } from '@ondine/contract/configuration'

/**
 * The slug of the page that stands in for home: what visitors see of a private service that has one (V2.3-05, decision 1);
 * undefined where home is home.
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

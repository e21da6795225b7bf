import type { ChildWatching } from '../../../http/principal.ts'
import type { TokenKeys } from '../../settings/keys/keys.service.ts'
import type { Account } from '../accounts/accounts.service.ts'
import type { ProfileRow } from '../profiles/profiles.repository.ts'

/** Claims of an account token about its sign-in. */
export interface SignInClaims {
  /**
   * Time of the sign-in, in seconds since the Unix epoch. A token without this claim becomes invalid when the
   * password is changed.
   */
  since?: number
  /** Name of the sign-in. Renewed tokens contain the same name. */
  signIn?: string
  /** The active profile, if it is a child's. A request without a profile token counts as a request of this profile. */
  child?: ChildWatching | null
  /** Whether the token is valid only for the calls of downloads (docs/decisions/0097). */
  isLent?: boolean
}

/** Signs an account token that is valid for the given number of seconds. */
export function accountToken(
  keys: TokenKeys,
  account: Pick<Account, 'id' | 'storefrontId'>,
  seconds: number,
  { since = 0, signIn, child, isLent = false }: SignInClaims = {},
): string {
  const claims = {
    sub: String(account.id),
    storefront: account.storefrontId,
    since,
    ...(signIn !== undefined && { in: signIn }),
    ...(child && { child: [child.id, child.maximumMoralityLevel] }),
    ...(isLent && { lent: true }),
  }
  return keys.sign('account', claims, seconds)
}

/** Signs a token of the active profile. */
export function profileToken(keys: TokenKeys, profile: ProfileRow, seconds: number): string {
  return keys.sign(
    'profile',
    {
      sub: String(profile.id),
      account: profile.accountId,
      kid: profile.kid,
      level: profile.maximumMoralityLevel,
    },
    seconds,
  )
}

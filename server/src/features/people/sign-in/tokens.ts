import type { ChildWatching } from '../../../http/principal.ts'
import type { TokenKeys } from '../../settings/keys/keys.service.ts'
import type { Account } from '../accounts/accounts.service.ts'
import type { ProfileRow } from '../profiles/profiles.repository.ts'

/** Claims of an account token about its sign-in. */
export interface SignInClaims {
  /**
   * When the person signed in, in seconds since the Unix epoch. A token without this claim is no longer valid once the
   * password has been changed.
   */
  since?: number
  /** Name of the sign-in. A renewed token has the same name. */
  signIn?: string
  /** The child's profile that watches. A request without a profile token counts as a request of this profile. */
  child?: ChildWatching | null
  /** Whether the token opens only the calls of downloads (docs/decisions/0097). */
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

/** Signs a token that identifies the profile that watches. */
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

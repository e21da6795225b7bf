import { randomBytes } from 'node:crypto'
import type { ChildWatching } from '../../http/principal.ts'
import type { TokenKeys } from '../keys/keys.service.ts'
import type { Account } from './accounts.repository.ts'

/** What a token says of a sign-in besides whose it is. */
export interface SignInClaims {
  /** When the person signed in, in seconds since the epoch. A token that does not say it is not renewed after the password was changed. */
  since?: number
  /** Names the sign-in; tokens that renew one name the same. */
  signIn?: string
  /** The child's profile that watches: whoever shows no token of a profile is that one. */
  child?: ChildWatching | null
}

/** A token that says who is signed in, for so many seconds. */
export function accountToken(
  keys: TokenKeys,
  account: Pick<Account, 'id' | 'storefrontId'>,
  seconds: number,
  { since = 0, signIn, child }: SignInClaims = {},
): string {
  const claims = {
    sub: String(account.id),
    storefront: account.storefrontId,
    since,
    ...(signIn !== undefined && { in: signIn }),
    ...(child && { child: [child.id, child.maximumMoralityLevel] }),
  }
  return keys.sign('account', claims, seconds)
}

/** A name for a sign-in that begins. */
export function newSignIn(): string {
  return randomBytes(9).toString('base64url')
}

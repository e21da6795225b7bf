import type { FastifyReply } from 'fastify'
import { CARRIERS } from '../../http/principal.ts'
import type { TokenKeys } from '../keys/keys.service.ts'
import type { Account, ProfileRow } from './accounts.repository.ts'

/** A token that says who is signed in. */
export function accountToken(keys: TokenKeys, account: Account, seconds: number): string {
  return keys.sign('account', { sub: String(account.id), storefront: account.storefrontId }, seconds)
}

/** A token that says who watches. */
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

/** Gives the browser a token that its scripts cannot read. */
export function setTokenCookie(
  reply: FastifyReply,
  kind: 'account' | 'profile',
  token: string,
  seconds: number,
): void {
  reply.setCookie(CARRIERS[kind].cookie, token, {
    httpOnly: true,
    sameSite: 'lax',
    secure: reply.request.protocol === 'https',
    path: '/',
    maxAge: Math.floor(seconds),
  })
}

/** Takes both tokens back from the browser. */
export function clearTokenCookies(reply: FastifyReply): void {
  reply.clearCookie(CARRIERS.account.cookie, { path: '/' })
  reply.clearCookie(CARRIERS.profile.cookie, { path: '/' })
}

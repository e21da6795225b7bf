import { createHash } from 'node:crypto'
import {
  accountDetails,
  activateProfile,
  listProfiles,
  logout,
  oauthToken,
  type Profile,
  session,
} from '@ondine/contract/accounts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../http/errors.ts'
import type { On } from '../../http/operations.ts'
import { normaliseEmail, type ProfileRow } from './accounts.repository.ts'
import * as accounts from './accounts.service.ts'
import { accountToken, clearTokenCookies, profileToken, setTokenCookie } from './tokens.ts'

export function registerAccounts(
  app: FastifyInstance,
  on: On,
  { keys, settings, configurations }: Context,
): void {
  const lifetime = settings.TOKEN_HOURS * 3600
  // By address and name together: a stranger who guesses at one account locks nobody out of it.
  const limit = app.createRateLimit({
    max: settings.SIGN_IN_ATTEMPTS,
    timeWindow: 60_000,
    keyGenerator: signInKey,
  })

  on(oauthToken, async ({ username, password }, { db, storefront, request, reply }) => {
    const tries = await limit(request)
    if (!tries.isAllowed && tries.isExceeded) {
      throw new ServiceError('slowDown', { retryAfterSeconds: Math.ceil(tries.ttl / 1000) })
    }
    const account = await accounts.signIn(db, storefront.id, username, password)
    const profile = await accounts.requireProfile(db, account.id)
    const token = accountToken(keys, account, lifetime)
    setTokenCookie(reply, 'account', token, lifetime)
    // After a sign-in the default profile is the active one (A4.3).
    setTokenCookie(reply, 'profile', profileToken(keys, profile, lifetime), lifetime)
    reply.header('cache-control', 'no-store')
    return { access_token: token, token_type: 'Bearer' as const, expires_in: Math.floor(lifetime) }
  })

  on(logout, async (_input, { reply }) => {
    clearTokenCookies(reply)
    return null
  })

  on(accountDetails, async (_input, { db, account }) => {
    const { id, email, firstName, lastName, language, status } = await accounts.requireAccount(db, account.id)
    return { id, email, firstName, lastName, language, status }
  })

  on(listProfiles, async (_input, { db, account }) =>
    (await accounts.listProfiles(db, account.id)).map(presentProfile),
  )

  on(activateProfile, async ({ idProfile }, { db, account, reply }) => {
    const profile = await accounts.requireProfile(db, account.id, idProfile)
    const token = profileToken(keys, profile, lifetime)
    setTokenCookie(reply, 'profile', token, lifetime)
    return { profileToken: token }
  })

  on(session, async (_input, { db, account, profile, storefront, now }) => {
    const signedIn = account && (await accounts.requireAccount(db, account.id))
    const active = account && profile && (await accounts.requireProfile(db, account.id, profile.id))
    return {
      account: signedIn && {
        id: signedIn.id,
        firstName: signedIn.firstName,
        lastName: signedIn.lastName,
        email: signedIn.email,
        status: signedIn.status,
      },
      profile: active && presentProfile(active),
      storefront: {
        name: configurations.of(storefront.id).brand.name,
        demonstration: storefront.demonstration,
      },
      now: now / 1000,
    }
  })
}

function presentProfile(row: ProfileRow): Profile {
  return {
    id: row.id,
    name: row.name,
    language: row.language,
    kidProfile: row.kid,
    default: row.isDefault,
    maximumMoralityLevel: row.maximumMoralityLevel,
  }
}

function signInKey(request: FastifyRequest): string {
  const { username } = request.body as { username: string }
  return createHash('sha256')
    .update(`${request.ip} ${normaliseEmail(username)}`)
    .digest('base64')
}

import { loginDevice } from '@ondine/contract/account-calls'
import { accountDetails, logout, oauthToken, session } from '@ondine/contract/accounts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { invalidFields, ServiceError } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import { pendingEmail } from '../accounts/account-links.service.ts'
import * as accounts from '../accounts/accounts.service.ts'
import { sharedRateLimit } from '../attempts/rate-limits.service.ts'
import { isMultiProfile, listProfiles, presentProfile } from '../profiles/profiles.service.ts'
import { type OpenSession, Sessions } from '../sign-in/sessions.service.ts'
import type { SignOn } from '../sign-on/sign-on.service.ts'
import { presentAccount } from './account.presenter.ts'

/** Maximum number of sign-in attempts per client address, as a multiple of the limit per user name. */
const NAMES_PER_ADDRESS = 20

const MS = 1000

/** Registers the calls that sign in, sign out, and return the signed-in account. */
export function registerAccounts(app: FastifyInstance, on: On, context: Context, signOn: SignOn): void {
  const { settings, configurations } = context
  const sessions = new Sessions(context)
  // Sign-in attempts are counted per client address and user name together. Otherwise a stranger's guesses could
  // lock out the account's holder.
  const max = settings.SIGN_IN_ATTEMPTS
  const guess = sharedRateLimit(app, context, 'sign-in-name', { max, about: signInName })
  const anyGuess = sharedRateLimit(app, context, 'sign-in', { max: max * NAMES_PER_ADDRESS })

  on(oauthToken, async (sent, { db, storefront, request, reply, now, language }) => {
    if (sent.grant_type === 'password') accounts.requirePasswords(configurations.of(storefront.id).accounts)
    await anyGuess(request)
    await guess(request)
    const account =
      sent.grant_type === 'password'
        ? await accounts.signIn(db, storefront.id, ...credentials(sent))
        : await signOn.byAccessToken(storefront.id, sent.subject_token ?? '', { language })
    return presentToken(await sessions.begin(account, reply, now), now)
  })

  on(
    loginDevice,
    async (_input, { account, storefront, now, request, reply }) => {
      try {
        return { newAuthToken: (await sessions.renew({ account, storefront, now }, request, reply)).token }
      } catch (error) {
        // The sign-in of another storefront on this host stays.
        if (error instanceof ServiceError && !(await sessions.isElsewhere(request, storefront)))
          await sessions.end(request, reply)
        throw error
      }
    },
    { takesEndedTokens: true },
  )

  on(
    logout,
    async (_input, { request, reply }) => {
      await sessions.leave(request, reply)
      return null
    },
    { takesEndedTokens: true },
  )

  on(accountDetails, async (_input, { db, account, now }) =>
    presentAccount(await accounts.requireAccount(db, account), await pendingEmail(db, account.id, now)),
  )

  on(session, async (_input, { db, account, profile, storefront, now, request, reply }) => {
    const known = account && (await accounts.findAccount(db, account.id))
    const isGood = known && accounts.isOpen(known) && accounts.isCurrent(known, account.since)
    const signedIn = isGood ? known : null
    // The sign-in is no longer valid. From now on, the page belongs to a viewer who is not signed in.
    if ((account !== null && signedIn === null) || sessions.hasEnded(request))
      await sessions.end(request, reply)
    let itsProfiles = signedIn ? await listProfiles(db, signedIn.id) : []
    const watching = itsProfiles.find(({ id }) => id === profile?.id)
    let open = signedIn && account && { account: signedIn, profile: watching ?? null, until: account.until }
    // The account token has expired, so the call renews the sign-in without asking for the password again (A4.4).
    if (account === null && sessions.isRenewable(request, storefront)) {
      open = await sessions
        .renew({ account, storefront, now }, request, reply)
        .catch(async (error: unknown) => {
          if (!(error instanceof ServiceError) || error.error !== 'tokenInvalid') throw error
          await sessions.end(request, reply)
          return null
        })
      itsProfiles = open ? await listProfiles(db, open.account.id) : []
    }
    // A child must not see personal data of the account's holder (spec 46).
    const isChild = open?.profile ? open.profile.kid : profile?.kid === true
    const configuration = configurations.of(storefront.id)
    return {
      account: open && {
        id: open.account.id,
        firstName: open.account.firstName,
        lastName: isChild ? '' : open.account.lastName,
        email: isChild ? '' : open.account.email,
        status: open.account.status,
        tokenExpiresAt: open.until,
        isMultiProfile: isMultiProfile(itsProfiles, configuration.accounts),
      },
      profile: open?.profile ? presentProfile(open.profile) : null,
      storefront: {
        name: configuration.brand.name,
        demonstration: storefront.demonstration,
      },
      now: now / MS,
    }
  })
}

function presentToken({ token, until }: OpenSession, now: number) {
  return {
    access_token: token,
    token_type: 'Bearer' as const,
    expires_in: until - Math.floor(now / MS),
  }
}

function credentials(sent: {
  username?: string | undefined
  password?: string | undefined
}): [string, string] {
  const { username, password } = sent
  if (username === undefined || password === undefined) {
    const missing = username === undefined ? 'username' : 'password'
    throw invalidFields([{ field: missing, message: 'requiredField' }])
  }
  return [username, password]
}

/**
 * Returns the user name for counting sign-in attempts. Empty for a sign-in with a token of an identity provider,
 * because the user name is unknown.
 */
function signInName(request: FastifyRequest): string {
  const { username } = request.body as { username?: string }
  return username === undefined ? '' : accounts.normaliseEmail(username)
}

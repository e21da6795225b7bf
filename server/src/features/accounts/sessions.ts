import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../http/errors.ts'
import type { Storefront } from '../../http/operations.ts'
import { accountTokenOf, CARRIERS, childOf, type SignedIn, tokenHeader } from '../../http/principal.ts'
import { clearDeviceCookies, clearTokenCookies, setTokenCookie } from '../../http/token-cookies.ts'
import { dropDevice, findDevice } from '../devices/devices.service.ts'
import { forgetPairingsOf } from '../pairing/pairing.service.ts'
import { profileToken } from '../profiles/profile-token.ts'
import { listProfiles, type ProfileRow, requireProfile } from '../profiles/profiles.service.ts'
import { type Account, findAccount } from './accounts.repository.ts'
import { isCurrent, isOpen, sinceNow } from './accounts.service.ts'
import { accountToken } from './tokens.ts'

const MS = 1000
const DAY_SECONDS = 86_400

/** Who is signed in from now on. */
export interface OpenSession {
  account: Account
  profile: ProfileRow
  token: string
  profileToken: string
  /** When the token ends, in seconds since the epoch. */
  until: number
}

function newSignIn(): string {
  return randomBytes(9).toString('base64url')
}

/** Begins and renews what keeps somebody signed in. */
export class Sessions {
  readonly #context: Pick<Context, 'db' | 'keys' | 'settings' | 'configurations'>

  constructor(context: Pick<Context, 'db' | 'keys' | 'settings' | 'configurations'>) {
    this.#context = context
  }

  /** How long an account's token holds, in seconds. */
  get #lifetime(): number {
    return this.#context.settings.TOKEN_HOURS * 3600
  }

  /** Signs an account in, with its default profile (A4.3-04). */
  async begin(account: Account, reply: FastifyReply, now: number): Promise<OpenSession> {
    return this.beginAs(account, await requireProfile(this.#context.db, account.id), reply, now)
  }

  /** Signs an account in, with a profile of its own. */
  beginAs(account: Account, profile: ProfileRow, reply: FastifyReply, now: number): OpenSession {
    return this.#issue(account, profile, { since: sinceNow(account, now), signIn: newSignIn() }, reply, now)
  }

  /** Signs in once more whom a change of the password signed out. Who watched goes on watching. */
  async beginAgain(
    account: Account,
    request: FastifyRequest,
    reply: FastifyReply,
    now: number,
  ): Promise<OpenSession> {
    const profile = await this.#watching(account, request)
    return this.#issue(account, profile, { since: sinceNow(account, now), signIn: newSignIn() }, reply, now)
  }

  /**
   * Signs in anew who shows an account token that holds, or the token of a device that was not removed (A7.1-12). Who watched
   * goes on watching.
   *
   * @throws ServiceError `tokenInvalid` when neither does
   */
  async renew(
    { account: signedIn, storefront, now }: { account: SignedIn | null; storefront: Storefront; now: number },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<OpenSession> {
    const claims = signedIn ?? (await this.#deviceOf(request))
    const account = claims && (await findAccount(this.#context.db, claims.id))
    if (!claims || account?.storefrontId !== storefront.id || !isOpen(account))
      throw new ServiceError('tokenInvalid')
    if (!isCurrent(account, claims.since)) throw new ServiceError('tokenInvalid')
    const profile = await this.#watching(account, request)
    return this.#issue(account, profile, claims, reply, now)
  }

  /**
   * Says who watches from now on, and gives the profile's token. A child stands in the account's token too, so that it is no
   * grown-up where its own is missing.
   */
  watch(account: SignedIn, profile: ProfileRow, reply: FastifyReply, now: number): string {
    const { keys } = this.#context
    if (profile.kid || account.child !== null) {
      const claims = { since: account.since, signIn: account.signIn, child: profile.kid ? profile : null }
      this.#keep(reply, 'account', accountToken(keys, account, account.until - now / MS, claims), account)
    }
    const token = profileToken(keys, profile, this.#lifetime)
    // As long as the account's: what is renewed goes on as the profile that watched, also after its token has ended.
    this.#keep(reply, 'profile', token, account)
    return token
  }

  /** Whether a request has what {@link renew} may renew, when its account token does not hold. */
  isRenewable(request: FastifyRequest): boolean {
    return request.cookies[CARRIERS.account.cookie] !== undefined && this.#claimsOf(request) !== undefined
  }

  /**
   * Takes back from the browser what cannot be renewed, and what it called itself (A4.4-04). It never finds its device again,
   * which would go on counting as one of the account's: that goes too.
   */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const shown = [CARRIERS.account, CARRIERS.device].map(({ cookie }) => request.cookies[cookie])
    const device = this.#claimsIn(request.cookies[CARRIERS.device.cookie])
    clearTokenCookies(reply)
    // Who signed out in another tab shows nothing any more: the device that signs in again is the one that it was.
    if (shown.some((token) => token !== undefined)) clearDeviceCookies(reply)
    if (device) await dropDevice(this.#context.db, device.accountId, device.deviceId)
  }

  /** Signs a browser out, which keeps its device. Whoever paired it is not let in again by the same pairing. */
  async leave(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const device = this.#claimsOf(request)
    clearTokenCookies(reply)
    if (device) await forgetPairingsOf(this.#context.db, device.deviceId)
  }

  /** Whose device asks, and since when it is used; undefined for one that was removed. */
  async #deviceOf(request: FastifyRequest): Promise<Pick<SignedIn, 'id' | 'since' | 'signIn'> | undefined> {
    const claims = this.#claimsOf(request)
    if (!claims) return undefined
    const device = await findDevice(this.#context.db, claims.accountId, claims.deviceId)
    return device && { id: claims.accountId, since: device.lastLoginAt / MS, signIn: newSignIn() }
  }

  #claimsOf(request: FastifyRequest): { accountId: number; deviceId: number } | undefined {
    return this.#claimsIn(
      tokenHeader(request, CARRIERS.device.header) ?? request.cookies[CARRIERS.device.cookie],
    )
  }

  #claimsIn(token: string | undefined): { accountId: number; deviceId: number } | undefined {
    const claims = token === undefined ? undefined : this.#context.keys.verify('device', token)
    if (typeof claims?.sub !== 'string' || typeof claims.account !== 'number') return undefined
    return { accountId: claims.account, deviceId: Number(claims.sub) }
  }

  /**
   * The profile that watched last on this device, even if its token has ended, or the child that the account's token names:
   * nobody leaves a child's profile by waiting, or by losing its token.
   */
  async #watching(account: Account, request: FastifyRequest): Promise<ProfileRow> {
    const { db, keys } = this.#context
    const token = tokenHeader(request, CARRIERS.profile.header) ?? request.cookies[CARRIERS.profile.cookie]
    const claims = token === undefined ? undefined : keys.readEnded('profile', token)
    const { header, cookie } = accountTokenOf(request)
    const signedIn = keys.readEnded('account', header ?? cookie ?? '')
    const child = signedIn?.sub === String(account.id) ? childOf(signedIn) : null
    const profiles = await listProfiles(db, account.id)
    const last = profiles.find(({ id }) => claims?.account === account.id && claims.sub === String(id))
    return last ?? profiles.find(({ id }) => id === child?.id) ?? (await requireProfile(db, account.id))
  }

  #issue(
    account: Account,
    profile: ProfileRow,
    { since, signIn }: Pick<SignedIn, 'since' | 'signIn'>,
    reply: FastifyReply,
    now: number,
  ): OpenSession {
    const { keys } = this.#context
    const token = accountToken(keys, account, this.#lifetime, {
      since,
      signIn,
      child: profile.kid ? profile : null,
    })
    this.#keep(reply, 'account', token, account)
    const watching = profileToken(keys, profile, this.#lifetime)
    this.#keep(reply, 'profile', watching, account)
    reply.header('cache-control', 'no-store')
    return { account, profile, token, profileToken: watching, until: Math.floor(now / MS + this.#lifetime) }
  }

  /** Cookies outlive their tokens: that one has ended says that there is something to renew. */
  #keep(
    reply: FastifyReply,
    kind: Parameters<typeof setTokenCookie>[1],
    token: string,
    account: Pick<Account, 'storefrontId'>,
  ): void {
    setTokenCookie(reply, kind, token, this.#days(account) * DAY_SECONDS)
  }

  #days({ storefrontId }: Pick<Account, 'storefrontId'>): number {
    return this.#context.configurations.of(storefrontId).accounts.deviceCookieDays
  }
}

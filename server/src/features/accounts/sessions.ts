import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../http/errors.ts'
import type { Storefront } from '../../http/operations.ts'
import {
  accountTokenOf,
  CARRIERS,
  type ChildWatching,
  childOf,
  type SignedIn,
  signInOf,
  tokenHeader,
} from '../../http/principal.ts'
import { clearDeviceCookies, clearTokenCookies, setTokenCookie } from '../../http/token-cookies.ts'
import { type DeviceClaims, readDeviceClaims } from '../devices/device-token.ts'
import { dropDevice, findDevice } from '../devices/devices.service.ts'
import { profileToken } from '../profiles/profile-token.ts'
import { listProfiles, type ProfileRow, requireProfile } from '../profiles/profiles.service.ts'
import { type Account, findAccount } from './accounts.repository.ts'
import { isCurrent, isOpen, sinceNow } from './accounts.service.ts'
import { endSignIn, noteChild } from './end-sign-in.ts'
import { accountToken, newSignIn } from './tokens.ts'

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

/** What renews a sign-in by its device. */
interface Renewing extends Pick<SignedIn, 'id' | 'since' | 'signIn'> {
  childProfileId: number | null
}

/** Begins and renews what keeps somebody signed in. */
export class Sessions {
  readonly #context: Pick<Context, 'db' | 'keys' | 'endedSignIns' | 'settings' | 'configurations'>

  constructor(context: Pick<Context, 'db' | 'keys' | 'endedSignIns' | 'settings' | 'configurations'>) {
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
  beginAs(
    account: Account,
    profile: ProfileRow,
    reply: FastifyReply,
    now: number,
    signIn = newSignIn(),
  ): OpenSession {
    return this.#issue(account, profile, { since: sinceNow(account, now), signIn }, reply, now)
  }

  /** Goes on with a sign-in after a change of the password, which ends all others. The same profile watches. */
  async beginAgain(
    account: Account,
    { signIn, child }: Pick<SignedIn, 'signIn' | 'child'>,
    request: FastifyRequest,
    reply: FastifyReply,
    now: number,
  ): Promise<OpenSession> {
    const profile = await this.#watching(account, { signIn, child: child?.id }, request)
    return this.#issue(account, profile, { since: sinceNow(account, now), signIn }, reply, now)
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
    const device = signedIn ? undefined : await this.#deviceOf(request)
    const claims = signedIn ?? device
    const account = claims && (await findAccount(this.#context.db, claims.id))
    if (!claims || account?.storefrontId !== storefront.id || !isOpen(account))
      throw new ServiceError('tokenInvalid')
    if (!isCurrent(account, claims.since)) throw new ServiceError('tokenInvalid')
    const shown = signedIn ? signedIn.child : this.#childShown(account, request)
    const child = shown?.id ?? device?.childProfileId
    const profile = await this.#watching(account, { signIn: claims.signIn, child }, request)
    return this.#issue(account, profile, claims, reply, now)
  }

  /**
   * Says who watches from now on, and gives the profile's token. A child stands in the account's token and beside its device
   * too, so that it is no grown-up where its own token is missing.
   */
  async watch(account: SignedIn, profile: ProfileRow, reply: FastifyReply, now: number): Promise<string> {
    const { keys } = this.#context
    await this.#note(account.id, account.signIn, account.child?.id, profile)
    if (profile.kid || account.child !== null) {
      const claims = { since: account.since, signIn: account.signIn, child: profile.kid ? profile : null }
      this.#keep(reply, 'account', accountToken(keys, account, account.until - now / MS, claims), account)
    }
    const token = profileToken(keys, profile, this.#lifetime)
    // As long as the account's: what is renewed goes on as the profile that watched, also after its token has ended.
    this.#keep(reply, 'profile', token, account)
    return token
  }

  /**
   * Whether a request has what {@link renew} may renew, when its account token does not hold. Another storefront's token, which
   * counts as none here, is left as it is.
   */
  isRenewable(request: FastifyRequest, storefront: Pick<Storefront, 'id'>): boolean {
    const token = request.cookies[CARRIERS.account.cookie]
    if (token === undefined || this.#claimsOf(request) === undefined) return false
    const claims = this.#context.keys.readEnded('account', token)
    return claims === undefined || claims.storefront === storefront.id
  }

  /** Whether a browser shows a token that holds of a sign-in that has ended. */
  hasEnded(request: FastifyRequest): boolean {
    const token = request.cookies[CARRIERS.account.cookie]
    const claims = token === undefined ? undefined : this.#context.keys.verify('account', token)
    const signIn = claims && signInOf(claims)
    return signIn !== undefined && this.#context.endedSignIns.has(signIn)
  }

  /**
   * Takes back from the browser what cannot be renewed, and what it called itself (A4.4-04). It never finds its device again,
   * which would go on counting as one of the account's: that goes too.
   */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const shown = [CARRIERS.account, CARRIERS.device].map(({ cookie }) => request.cookies[cookie])
    const claims = this.#claimsIn(request.cookies[CARRIERS.device.cookie])
    clearTokenCookies(reply)
    // Who signed out in another tab shows nothing any more: the device that signs in again is the one that it was.
    if (shown.some((token) => token !== undefined)) clearDeviceCookies(reply)
    if (claims) await dropDevice(this.#context.db, claims)
  }

  /**
   * Signs out: the sign-in ends with its tokens, what renews it and what it plays, on every process (decision 47). The device
   * stays one of the account, and nothing signs it in again but its holder.
   */
  async leave(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { db, keys, endedSignIns } = this.#context
    const device = this.#claimsOf(request)
    const { header, cookie } = accountTokenOf(request)
    // Also of a token that has ended: what it began may play on, and its device renews it.
    const shown = keys.readEnded('account', header ?? cookie ?? '')
    clearTokenCookies(reply)
    const account = shown && signInOf(shown)
    const ended = account ? await endSignIn(db, account) : []
    if (device && (device.accountId !== account?.accountId || device.signIn !== account.signIn))
      ended.push(...(await endSignIn(db, device)))
    await endedSignIns.refresh(ended)
  }

  /** Whose device asks, and since when it is used; undefined for one that was removed. */
  async #deviceOf(request: FastifyRequest): Promise<Renewing | undefined> {
    const claims = this.#claimsOf(request)
    if (!claims) return undefined
    const device = await findDevice(this.#context.db, claims.accountId, claims.deviceId)
    if (device?.signIn !== claims.signIn) return undefined
    const { childProfileId } = device
    return { id: claims.accountId, since: device.lastLoginAt / MS, signIn: claims.signIn, childProfileId }
  }

  #claimsOf(request: FastifyRequest): DeviceClaims | undefined {
    return this.#claimsIn(
      tokenHeader(request, CARRIERS.device.header) ?? request.cookies[CARRIERS.device.cookie],
    )
  }

  #claimsIn(token: string | undefined): DeviceClaims | undefined {
    const claims = token === undefined ? undefined : this.#context.keys.verify('device', token)
    return claims && readDeviceClaims(claims)
  }

  /** The child that an account's token names, also one that has ended. */
  #childShown(account: Account, request: FastifyRequest): ChildWatching | null {
    const { keys, endedSignIns } = this.#context
    const { header, cookie } = accountTokenOf(request)
    const claims = keys.readEnded('account', header ?? cookie ?? '')
    return claims?.sub === String(account.id) ? childOf(claims, endedSignIns) : null
  }

  /**
   * The child that watches, else the profile that watched last on this device, even if its token has ended. Nobody leaves a
   * child's profile by waiting, by losing its token, or by showing an older one.
   */
  async #watching(
    account: Account,
    { signIn, child }: { signIn: string; child: number | null | undefined },
    request: FastifyRequest,
  ): Promise<ProfileRow> {
    const { db, keys } = this.#context
    const token = tokenHeader(request, CARRIERS.profile.header) ?? request.cookies[CARRIERS.profile.cookie]
    const claims = token === undefined ? undefined : keys.readEnded('profile', token)
    const last = claims?.account === account.id ? Number(claims.sub) : undefined
    const profiles = await listProfiles(db, account.id)
    const watching = [child, last].flatMap((id) => profiles.filter((profile) => profile.id === id))
    const profile = watching[0] ?? (await requireProfile(db, account.id))
    // The child's profile may have gone, or its token alone may say that it watches.
    if ((child ?? null) !== (profile.kid ? profile.id : null))
      await this.#note(account.id, signIn, child ?? undefined, profile)
    return profile
  }

  /** Notes who watches in a sign-in from now on, where that is a child or was one. */
  async #note(
    accountId: number,
    signIn: string,
    before: number | undefined,
    profile: ProfileRow,
  ): Promise<void> {
    const { db, endedSignIns } = this.#context
    const child = profile.kid ? profile.id : null
    await endedSignIns.refresh(await noteChild(db, { accountId, signIn }, before ?? null, child))
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

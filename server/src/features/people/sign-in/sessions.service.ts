import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { Storefront } from '../../../http/operations.ts'
import {
  accountTokenOf,
  CARRIERS,
  type ChildWatching,
  childOf,
  type SignedIn,
  signInOf,
  tokenHeader,
} from '../../../http/principal.ts'
import { clearDeviceCookies, clearTokenCookies, setTokenCookie } from '../../../http/token-cookies.ts'
import { type Account, findAccount, isCurrent, isOpen, sinceNow } from '../accounts/accounts.service.ts'
import { type DeviceClaims, dropDevice, findDevice, readDeviceClaims } from '../devices/devices.service.ts'
import { listProfiles, type ProfileRow, requireProfile } from '../profiles/profiles.service.ts'
import { endSignIn, noteChild } from './end-sign-in.ts'
import { accountToken, profileToken } from './tokens.ts'

const MS = 1000
const DAY_SECONDS = 86_400

/** A sign-in that has just begun or been renewed. */
export interface OpenSession {
  account: Account
  profile: ProfileRow
  token: string
  profileToken: string
  /** When the account token expires, in seconds since the Unix epoch. */
  until: number
}

/** A sign-in that a device may renew with its device token. */
interface Renewing extends Pick<SignedIn, 'id' | 'since' | 'signIn'> {
  childProfileId: number | null
}

type SessionParts = Pick<
  Context,
  'db' | 'keys' | 'endedSignIns' | 'settings' | 'configurations' | 'onSignInEnded'
>

/** Starts, renews and ends sign-ins. */
export class Sessions {
  readonly #context: SessionParts

  constructor(context: SessionParts) {
    this.#context = context
  }

  /** Lifetime of an account token, in seconds. */
  get #lifetime(): number {
    return this.#context.settings.TOKEN_HOURS * 3600
  }

  /** Signs an account in, with its default profile (A4.3-04). */
  async begin(account: Account, reply: FastifyReply, now: number): Promise<OpenSession> {
    return this.beginAs(account, await requireProfile(this.#context.db, account.id), reply, now)
  }

  /** Signs an account in with a given profile. */
  beginAs(
    account: Account,
    profile: ProfileRow,
    reply: FastifyReply,
    now: number,
    signIn = newSignIn(),
  ): OpenSession {
    return this.#issue(account, profile, { since: sinceNow(account, now), signIn }, reply, now)
  }

  /**
   * Continues the sign-in in which the password was changed. The change ended all other sign-ins of the account. The
   * same profile continues watching.
   */
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
   * Renews a sign-in: issues new tokens for a valid account token, or for the token of a registered device (A7.1-12).
   * The same profile continues watching.
   *
   * @throws ServiceError `tokenInvalid` when neither token is valid
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
   * Sets the profile that watches in a sign-in, and returns the profile's token. A child's profile is also recorded in
   * the account token and with the devices of the sign-in. So a request without the profile token still counts as the
   * child's.
   */
  async watch(account: SignedIn, profile: ProfileRow, reply: FastifyReply, now: number): Promise<string> {
    const { keys } = this.#context
    await this.#note(account.id, account.signIn, account.child?.id, profile)
    if (profile.kid || account.child !== null) {
      const claims = { since: account.since, signIn: account.signIn, child: profile.kid ? profile : null }
      this.#keep(reply, 'account', accountToken(keys, account, account.until - now / MS, claims), account)
    }
    const token = profileToken(keys, profile, this.#lifetime)
    // The cookie lives as long as the account cookie, so that a renewal finds the profile even after the profile's
    // token has ended.
    this.#keep(reply, 'profile', token, account)
    return token
  }

  /**
   * Returns a token of a profile, for a device of the same account that plays for this profile. It does not change
   * which profile watches in the device's sign-in: where a child watches, the token has no effect.
   */
  lend(profile: ProfileRow): string {
    return profileToken(this.#context.keys, profile, this.#lifetime)
  }

  /**
   * Returns tokens of a sign-in and of a profile for another program of the same viewer. They expire after `seconds`,
   * or with the sign-in if that ends earlier. They open only the calls of downloads, so the program cannot renew them.
   */
  lendBriefly(
    { id, storefrontId, since, signIn, child }: SignedIn,
    profile: ProfileRow,
    seconds: number,
  ): { token: string; profileToken: string } {
    const { keys } = this.#context
    return {
      token: accountToken(keys, { id, storefrontId }, seconds, { since, signIn, child, isLent: true }),
      profileToken: profileToken(keys, profile, seconds),
    }
  }

  /**
   * Returns whether {@link renew} can renew the sign-in of a browser whose account token is not valid. Returns false
   * for an account token of another storefront, so that its cookies stay unchanged.
   */
  isRenewable(request: FastifyRequest, storefront: Pick<Storefront, 'id'>): boolean {
    const token = request.cookies[CARRIERS.account.cookie]
    if (token === undefined || this.#claimsOf(request) === undefined) return false
    const claims = this.#context.keys.readEnded('account', token)
    return claims === undefined || claims.storefront === storefront.id
  }

  /**
   * Returns whether the account cookie of a request holds a token that has not expired, but whose sign-in has ended.
   */
  hasEnded(request: FastifyRequest): boolean {
    const token = request.cookies[CARRIERS.account.cookie]
    const claims = token === undefined ? undefined : this.#context.keys.verify('account', token)
    const signIn = claims && signInOf(claims)
    return signIn !== undefined && this.#context.endedSignIns.has(signIn)
  }

  /**
   * Clears the tokens of a browser or an app whose sign-in cannot be renewed, and its device id (A4.4-04). It can never
   * use that device again. So the device is removed, and no longer counts against the account's
   * limit.
   */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const shown = [CARRIERS.account, CARRIERS.device].map(
      ({ header, cookie }) => tokenHeader(request, header) ?? request.cookies[cookie],
    )
    const claims = this.#claimsOf(request)
    clearTokenCookies(reply)
    // After a sign-out in another tab, the browser sends no tokens. Keep the cookie with its device id then, so that
    // the next sign-in finds the same device.
    if (shown.some((token) => token !== undefined)) clearDeviceCookies(reply)
    if (claims) await dropDevice(this.#context.db, claims)
  }

  /**
   * Signs out: ends the sign-in with its tokens, its renewal and its playback, in every process (spec 47). The device
   * stays registered, but cannot renew the sign-in: its user must sign in again.
   */
  async leave(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { db, keys, endedSignIns, onSignInEnded } = this.#context
    const device = this.#claimsOf(request)
    const { header, cookie } = accountTokenOf(request)
    // Accept expired account tokens too. Playback that began with such a token may still run, and the device could
    // still renew the sign-in. A token that was lent never ends the sign-in of the viewer.
    const shown = keys.readEnded('account', header ?? cookie ?? '')
    clearTokenCookies(reply)
    const account = shown && shown.lent !== true ? signInOf(shown) : undefined
    const ended = account ? await endSignIn(db, account, onSignInEnded) : []
    if (device && (device.accountId !== account?.accountId || device.signIn !== account.signIn))
      ended.push(...(await endSignIn(db, device, onSignInEnded)))
    await endedSignIns.refresh(ended)
  }

  /**
   * Returns the sign-in that the calling device may renew. Returns undefined if the device token is not valid, or if
   * the device was removed or has another sign-in now.
   */
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

  /**
   * Returns the child's profile that watches according to the account token of a request, even if the token has
   * expired.
   */
  #childShown(account: Account, request: FastifyRequest): ChildWatching | null {
    const { keys, endedSignIns } = this.#context
    const { header, cookie } = accountTokenOf(request)
    const claims = keys.readEnded('account', header ?? cookie ?? '')
    return claims?.sub === String(account.id) ? childOf(claims, endedSignIns) : null
  }

  /**
   * Returns the profile with the id `child`; otherwise the profile of the profile token that the browser sends, even if
   * the token has expired; otherwise the default profile. So nobody leaves a child's profile by waiting, by losing a
   * token or by sending an older token.
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
    // Record who watches if the account token shows something else. This happens when the child's profile was deleted,
    // or when only the profile token shows that a child watches.
    if ((child ?? null) !== (profile.kid ? profile.id : null))
      await this.#note(account.id, signIn, child ?? undefined, profile)
    return profile
  }

  /** Records which profile watches in a sign-in from now on, if the previous or the new profile is a child's. */
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

  /**
   * Sets a token as a cookie. The cookie outlives the token: an expired token shows that there is a sign-in to renew.
   */
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

/** Creates a name for a new sign-in. */
export function newSignIn(): string {
  return randomBytes(9).toString('base64url')
}

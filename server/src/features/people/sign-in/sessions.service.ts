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
/**
 * Shortest lifetime of a profile token for a screen, in seconds. A channel or a series plays on for days, and the screen cannot
 * renew the token. The token is of no use without an account token, which lives as long as all others.
 */
const LENT_SECONDS = 7 * DAY_SECONDS

/** A sign-in that has just begun or been renewed. */
export interface OpenSession {
  account: Account
  profile: ProfileRow
  token: string
  profileToken: string
  /** When the account token expires, in seconds since the Unix epoch. */
  until: number
}

/** A sign-in that a device can renew with its device token. */
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
   * Continues the sign-in that changed the password. The change ended all other sign-ins of the account. The same
   * profile stays active.
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
   * Renews a sign-in: issues new tokens for a valid account token, or for the token of a registered device
   * (A7.1-12). The same profile stays active.
   *
   * @throws ServiceError `tokenInvalid` if neither token is valid
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
   * Makes a profile active in a sign-in, and returns the profile's token. The account token and the devices of the
   * sign-in also store a child's profile. So a request without the profile token still counts as the child's.
   */
  async watch(account: SignedIn, profile: ProfileRow, reply: FastifyReply, now: number): Promise<string> {
    const { keys } = this.#context
    await this.#note(account.id, account.signIn, account.child?.id, profile)
    if (profile.kid || account.child !== null) {
      const claims = { since: account.since, signIn: account.signIn, child: profile.kid ? profile : null }
      this.#keep(reply, 'account', accountToken(keys, account, account.until - now / MS, claims), account)
    }
    const token = profileToken(keys, profile, this.#lifetime)
    // The cookie lives as long as the account cookie, so that a renewal finds the profile even if the profile's
    // token has expired.
    this.#keep(reply, 'profile', token, account)
    return token
  }

  /**
   * Returns a profile token for another device of the same account, such as a screen. The active profile of the
   * device's own sign-in does not change. If the active profile of the device's sign-in is a child's, the token has
   * no effect. It needs a valid account token of the device, and is valid for {@link LENT_SECONDS}, or
   * as long as all other tokens if that is longer.
   */
  lend(profile: ProfileRow): string {
    return profileToken(this.#context.keys, profile, Math.max(this.#lifetime, LENT_SECONDS))
  }

  /**
   * Returns tokens of a sign-in and a profile for another program of the same viewer. The tokens expire after
   * `seconds`, or when the sign-in ends. They are valid only for the calls of downloads, so the program cannot
   * renew them.
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
   * Returns whether {@link renew} can renew the sign-in of a browser without a valid account token. False for an
   * account token of another storefront, so that the cookies of that storefront stay.
   */
  isRenewable(request: FastifyRequest, storefront: Pick<Storefront, 'id'>): boolean {
    const token = request.cookies[CARRIERS.account.cookie]
    if (token === undefined || this.#claimsOf(request) === undefined) return false
    const claims = this.#context.keys.readEnded('account', token)
    return claims === undefined || claims.storefront === storefront.id
  }

  /**
   * Returns whether the tokens of a request belong to a sign-in of another storefront. Storefronts on one host share
   * cookies.
   */
  async isElsewhere(request: FastifyRequest, storefront: Pick<Storefront, 'id'>): Promise<boolean> {
    const { db, keys } = this.#context
    const { header, cookie } = accountTokenOf(request)
    const claims = keys.readEnded('account', header ?? cookie ?? '')
    if (claims) return claims.storefront !== storefront.id
    const device = this.#claimsOf(request)
    const account = device && (await findAccount(db, device.accountId))
    return account !== undefined && account.storefrontId !== storefront.id
  }

  /** Returns whether a request's account cookie contains an unexpired token of an ended sign-in. */
  hasEnded(request: FastifyRequest): boolean {
    const token = request.cookies[CARRIERS.account.cookie]
    const claims = token === undefined ? undefined : this.#context.keys.verify('account', token)
    const signIn = claims && signInOf(claims)
    return signIn !== undefined && this.#context.endedSignIns.has(signIn)
  }

  /**
   * Clears the tokens and the device id of a browser or an app whose sign-in cannot be renewed (A4.4-04). Without
   * the device id, nobody can use the device again. So this also removes the device, which then no longer counts
   * towards the account's limit.
   */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const shown = [CARRIERS.account, CARRIERS.device].map(
      ({ header, cookie }) => tokenHeader(request, header) ?? request.cookies[cookie],
    )
    const claims = this.#claimsOf(request)
    clearTokenCookies(reply)
    // After a sign-out in another tab, the browser sends no tokens. Then the device cookie stays, so that the next
    // sign-in reuses the device.
    if (shown.some((token) => token !== undefined)) clearDeviceCookies(reply)
    if (claims) await dropDevice(this.#context.db, claims)
  }

  /**
   * Signs out: ends the sign-in with its tokens, its renewal and its playback, in every process (spec 47). The
   * device stays registered, but can no longer renew the sign-in.
   */
  async leave(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { db, keys, endedSignIns, onSignInEnded } = this.#context
    const device = this.#claimsOf(request)
    const { header, cookie } = accountTokenOf(request)
    // Accept expired account tokens too: playback that began with such a token may still be running, and the
    // device could still renew the sign-in. A lent token must not end the viewer's sign-in.
    const shown = keys.readEnded('account', header ?? cookie ?? '')
    clearTokenCookies(reply)
    const account = shown && shown.lent !== true ? signInOf(shown) : undefined
    const ended = account ? await endSignIn(db, account, onSignInEnded) : []
    if (device && (device.accountId !== account?.accountId || device.signIn !== account.signIn))
      ended.push(...(await endSignIn(db, device, onSignInEnded)))
    await endedSignIns.refresh(ended)
  }

  /**
   * Returns the sign-in that the calling device may renew. Returns undefined if the device token is not valid, or
   * the device was removed or now has another sign-in.
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

  /** Returns the active child's profile according to the account token of a request, even an expired one. */
  #childShown(account: Account, request: FastifyRequest): ChildWatching | null {
    const { keys, endedSignIns } = this.#context
    const { header, cookie } = accountTokenOf(request)
    const claims = keys.readEnded('account', header ?? cookie ?? '')
    return claims?.sub === String(account.id) ? childOf(claims, endedSignIns) : null
  }

  /**
   * Returns the profile with the id `child`. Otherwise returns the profile of the request's profile token, even an
   * expired one, or else the default profile. So a child cannot leave the profile by waiting, by losing a token,
   * or with an older token.
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
    // The sign-in stores the wrong profile in these cases: the child's profile was deleted, it is no longer a child's, or
    // only the profile token belongs to a child's profile. Then correct what the sign-in stores.
    if ((child ?? null) !== (profile.kid ? profile.id : null))
      await this.#note(account.id, signIn, child ?? undefined, profile)
    return profile
  }

  /** Records the active profile of a sign-in, if the previous or the new profile is a child's. */
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
   * Sets a token as a cookie. The cookie lives longer than the token. An expired token in the cookie shows that a
   * sign-in can be renewed.
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

/** Generates the name of a new sign-in. */
export function newSignIn(): string {
  return randomBytes(9).toString('base64url')
}

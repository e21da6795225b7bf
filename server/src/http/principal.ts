import type { FastifyRequest } from 'fastify'
import { ServiceError } from './errors.ts'

/** The identity of a caller. */
export interface Principal {
  account: SignedIn | null
  profile: ActiveProfile | null
  /** The calling device, if it is registered. */
  device: { id: number } | null
  /** Whether the tokens came as cookies, which a browser sends on its own, even for a page of another site. */
  byCookie: boolean
}

/** The signed-in account, according to its token. */
export interface SignedIn {
  id: number
  storefrontId: number
  /** When the person signed in, in seconds since the epoch; 0 if the token does not contain it. */
  since: number
  /** When the account token expires, in seconds since the epoch. */
  until: number
  /** Id of the sign-in. Renewed tokens keep it, so it distinguishes the sign-ins of an account. */
  signIn: string
  /** The child's profile in use, according to the account's token; null for an adult's profile. */
  child: ChildWatching | null
  /** Whether the token was lent to the local player of the viewer, which may only download (docs/decisions/0097). */
  isLent: boolean
}

/** A child's profile in the token of its account. */
export type ChildWatching = Pick<ActiveProfile, 'id' | 'maximumMoralityLevel'>

/** The profile in use, according to its token. */
export interface ActiveProfile {
  id: number
  accountId: number
  kid: boolean
  maximumMoralityLevel: number
}

/** A person or program that operates the service. */
export interface Operator {
  /** The name that the history of changes shows. */
  name: string
}

/** An anonymous caller. */
const VISITOR: Principal = { account: null, profile: null, device: null, byCookie: false }

/** Names of the cookies and headers that carry tokens. */
export const CARRIERS = {
  account: { cookie: 'ondine_account', header: 'x-auth-token' },
  profile: { cookie: 'ondine_profile', header: 'x-profile-token' },
  device: { cookie: 'ondine_device', header: 'x-device-token' },
  storefront: { header: 'x-identity-key' },
  operator: { header: 'x-operator-token' },
} as const

/** The cookie with the id that a device has generated (V7-34). Scripts can read it. */
export const DEVICE_COOKIE = 'device'

/** The header with the id of the device, in answers to native apps. */
export const DEVICE_ID_HEADER = 'x-device-id'

/** The header with the state of an open sign-on, in requests and answers of native apps. */
export const SIGN_ON_HEADER = 'x-sign-on-token'

/** The parts of a request that carry tokens. */
export type TokenCarrier = Pick<FastifyRequest, 'headers' | 'cookies'>

/** The sign-in that a token belongs to. */
export interface SignInProof {
  accountId: number
  signIn: string
  /** When the person signed in, in seconds since the epoch. */
  since: number
  /** The device that plays, according to the playback token. */
  deviceId?: number | undefined
}

/** Returns whether a sign-in has ended although its token is still valid. */
export type IsEnded = (signIn: SignInProof) => boolean

/** State of sign-ins that their tokens do not contain. */
export interface SignIns {
  /** Returns whether a sign-in has ended although its token is still valid. */
  has: IsEnded
  /**
   * Returns the id of the child's profile if a child's profile was chosen last in a sign-in, and null if an
   * adult's profile was chosen last. Returns undefined if no profile was chosen lately: the token then states the
   * profile in use.
   */
  childIn(signIn: SignInProof): number | null | undefined
}

/** Verifies a token of a request. */
export type Verify = (
  audience: 'account' | 'profile' | 'device',
  token: string,
) => Record<string, unknown> | undefined

/**
 * Reads the caller's identity from its tokens. If an account token in a header is invalid, or its sign-in has
 * ended, the call fails with code -1, so that the client renews the token. Such a token in a cookie is ignored,
 * because a browser cannot renew it.
 *
 * If the sign-in uses a child's profile, the profile token is ignored: it may still name the adult's profile used
 * before.
 *
 * @param takesEndedTokens whether an invalid account token in a header is ignored too: for calls that renew or end
 * the sign-in
 * @throws ServiceError tokenInvalid for an invalid token in a header
 */
export function readPrincipal(
  request: TokenCarrier,
  verify: Verify,
  signIns: SignIns,
  takesEndedTokens = false,
): Principal {
  const { header, cookie } = accountTokenOf(request)
  if (header === undefined && cookie === undefined) return VISITOR

  const claims = verify('account', header ?? cookie ?? '')
  const proof = claims && signInOf(claims)
  if (!proof || typeof claims.storefront !== 'number' || signIns.has(proof)) {
    if (header !== undefined && !takesEndedTokens) throw new ServiceError('tokenInvalid')
    return VISITOR
  }
  const account = {
    id: proof.accountId,
    storefrontId: claims.storefront,
    since: proof.since,
    signIn: proof.signIn,
    until: Number(claims.exp),
    child: childOf(claims, signIns),
    isLent: claims.lent === true,
  }
  const shown = readProfile(request, verify, account.id)
  return {
    account,
    profile: account.child === null || account.child.id === shown?.id ? shown : childProfile(account),
    device: readDevice(request, verify, account.id),
    byCookie: header === undefined,
  }
}

/**
 * Returns the caller's identity at a storefront. Storefronts on one host share cookies, so a caller who is signed in
 * to another storefront counts as not signed in.
 *
 * @throws ServiceError tokenInvalid for another storefront's token in a header
 */
export function principalAt(storefront: { id: number }, principal: Principal): Principal {
  if (!principal.account || principal.account.storefrontId === storefront.id) return principal
  if (principal.byCookie) return VISITOR
  throw new ServiceError('tokenInvalid')
}

function readProfile(request: TokenCarrier, verify: Verify, accountId: number): ActiveProfile | null {
  const header = tokenHeader(request, CARRIERS.profile.header)
  const token = header ?? request.cookies[CARRIERS.profile.cookie]
  if (token === undefined) return null
  const claims = verify('profile', token)
  if (
    !claims ||
    claims.account !== accountId ||
    typeof claims.sub !== 'string' ||
    typeof claims.level !== 'number'
  ) {
    if (header !== undefined) throw new ServiceError('tokenInvalid')
    return null
  }
  return {
    id: Number(claims.sub),
    accountId,
    kid: claims.kid === true,
    maximumMoralityLevel: claims.level,
  }
}

/**
 * Returns the sign-in of an account token. If the token contains no id of the sign-in, the time of the sign-in
 * replaces it.
 */
export function signInOf(claims: Record<string, unknown>): SignInProof | undefined {
  if (typeof claims.sub !== 'string') return undefined
  const since = typeof claims.since === 'number' ? claims.since : 0
  const signIn = typeof claims.in === 'string' ? claims.in : String(since)
  return { accountId: Number(claims.sub), signIn, since }
}

/** Level in the identity of a child whose level is not in the token. The level that applies is in the database. */
const LOWEST_LEVEL = 1

/**
 * Returns the child's profile that a sign-in uses (docs/decisions/0026 and 0038). `signIns` takes precedence over
 * the account token, which may be older than the last choice of a profile.
 */
export function childOf(
  claims: Record<string, unknown>,
  signIns: Pick<SignIns, 'childIn'>,
): ChildWatching | null {
  const named = namedChild(claims)
  const proof = signInOf(claims)
  const id = proof && signIns.childIn(proof)
  if (id === undefined || id === named?.id) return named
  return id === null ? null : { id, maximumMoralityLevel: LOWEST_LEVEL }
}

function namedChild({ child }: Record<string, unknown>): ChildWatching | null {
  if (!Array.isArray(child)) return null
  const [id, maximumMoralityLevel]: unknown[] = child
  return typeof id === 'number' && typeof maximumMoralityLevel === 'number'
    ? { id, maximumMoralityLevel }
    : null
}

function childProfile({ id: accountId, child }: Pick<SignedIn, 'id' | 'child'>): ActiveProfile | null {
  return child && { ...child, accountId, kid: true }
}

/**
 * Returns the calling device; null if its token has expired or belongs to another account. The device can then be
 * registered again.
 */
function readDevice(request: TokenCarrier, verify: Verify, accountId: number): { id: number } | null {
  const token = tokenHeader(request, CARRIERS.device.header) ?? request.cookies[CARRIERS.device.cookie]
  const claims = token === undefined ? undefined : verify('device', token)
  if (!claims || claims.account !== accountId || typeof claims.sub !== 'string') return null
  return { id: Number(claims.sub) }
}

/** Returns the token in a header, if there is one. */
export function tokenHeader(request: Pick<TokenCarrier, 'headers'>, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the account token from the header and from the cookie. The header takes precedence. */
export function accountTokenOf(request: TokenCarrier): {
  header: string | undefined
  cookie: string | undefined
} {
  return {
    header: tokenHeader(request, CARRIERS.account.header) ?? bearer(request),
    cookie: request.cookies[CARRIERS.account.cookie],
  }
}

function bearer(request: TokenCarrier): string | undefined {
  const value = request.headers.authorization
  return value?.startsWith('Bearer ') ? value.slice('Bearer '.length) : undefined
}

import type { FastifyRequest } from 'fastify'
import { ServiceError } from './errors.ts'

/** Who makes a call. */
export interface Principal {
  account: SignedIn | null
  profile: ActiveProfile | null
  /** The device that asks, if it is registered. */
  device: { id: number } | null
  /** True when the tokens came as cookies, which a browser sends by itself. */
  byCookie: boolean
}

/** Who is signed in, as the token says. */
export interface SignedIn {
  id: number
  storefrontId: number
  /** When the person signed in, in seconds since the epoch; 0 where the token does not say it. */
  since: number
  /** When the token ends, in seconds since the epoch. */
  until: number
  /** Names the sign-in, which tokens keep that renew each other: two of one account are told apart by it. */
  signIn: string
  /** The child's profile that watches, as the account's token says; null for a grown-up's. */
  child: ChildWatching | null
}

/** A child's profile in the token of its account. */
export type ChildWatching = Pick<ActiveProfile, 'id' | 'maximumMoralityLevel'>

/** The profile that watches, as its token says. */
export interface ActiveProfile {
  id: number
  accountId: number
  kid: boolean
  maximumMoralityLevel: number
}

/** One of the people and programs that run the service. */
export interface Operator {
  /** Stands in the history of what is changed. */
  name: string
}

/** Nobody in particular. */
const VISITOR: Principal = { account: null, profile: null, device: null, byCookie: false }

/** Names of the cookies and headers that carry tokens. */
export const CARRIERS = {
  account: { cookie: 'ondine_account', header: 'x-auth-token' },
  profile: { cookie: 'ondine_profile', header: 'x-profile-token' },
  device: { cookie: 'ondine_device', header: 'x-device-token' },
  storefront: { header: 'x-identity-key' },
  operator: { header: 'x-operator-token' },
} as const

/** The cookie in which a device keeps what it calls itself (V7-34); scripts read it. */
export const DEVICE_COOKIE = 'device'

/** Where the tokens of a caller are looked for. */
export type Caller = Pick<FastifyRequest, 'headers' | 'cookies'>

/** What a token says of the sign-in that it comes of. */
export interface SignInProof {
  accountId: number
  signIn: string
  /** When the person signed in, in seconds since the epoch. */
  since: number
  /** The device that plays, as a token of playback says. */
  deviceId?: number | undefined
}

/** Checks whether a sign-in has ended although its token holds. */
export type IsEnded = (signIn: SignInProof) => boolean

/** What is known of sign-ins beyond what their tokens say. */
export interface SignIns {
  /** Whether a sign-in has ended although its token holds. */
  has: IsEnded
  /** The child's profile that watches in a sign-in, null for a grown-up's; undefined where its tokens say it. */
  childIn(signIn: SignInProof): number | null | undefined
}

/** Checks the tokens of a request. */
export type Verify = (
  audience: 'account' | 'profile' | 'device',
  token: string,
) => Record<string, unknown> | undefined

/**
 * Reads who makes a call from its tokens. A token in a header that does not hold, or whose sign-in has ended, is an error (-1,
 * so that the client refreshes it); such a cookie counts as none, because a browser cannot do anything about it.
 *
 * The child of the sign-in goes before a profile's token: that may be a grown-up's of before the child was chosen.
 */
export function readPrincipal(request: Caller, verify: Verify, signIns: SignIns): Principal {
  const { header, cookie } = accountTokenOf(request)
  if (header === undefined && cookie === undefined) return VISITOR

  const claims = verify('account', header ?? cookie ?? '')
  const proof = claims && signInOf(claims)
  if (!proof || typeof claims.storefront !== 'number' || signIns.has(proof)) {
    if (header !== undefined) throw new ServiceError('tokenInvalid')
    return VISITOR
  }
  const account = {
    id: proof.accountId,
    storefrontId: claims.storefront,
    since: proof.since,
    signIn: proof.signIn,
    until: Number(claims.exp),
    child: childOf(claims, signIns),
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
 * Who a caller is at a storefront. Storefronts on one host share its cookies: who is signed in to another one is a visitor there.
 *
 * @throws ServiceError tokenInvalid for another storefront's token in a header
 */
export function principalAt(storefront: { id: number }, principal: Principal): Principal {
  if (!principal.account || principal.account.storefrontId === storefront.id) return principal
  if (principal.byCookie) return VISITOR
  throw new ServiceError('tokenInvalid')
}

function readProfile(request: Caller, verify: Verify, accountId: number): ActiveProfile | null {
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

/** The sign-in that an account's token comes of; one without a name is called by its moment. */
export function signInOf(claims: Record<string, unknown>): SignInProof | undefined {
  if (typeof claims.sub !== 'string') return undefined
  const since = typeof claims.since === 'number' ? claims.since : 0
  const signIn = typeof claims.in === 'string' ? claims.in : String(since)
  return { accountId: Number(claims.sub), signIn, since }
}

/** The lowest level, for a child of which the token says none. The database says which one holds. */
const LOWEST_LEVEL = 1

/**
 * The child that watches in the sign-in of an account's token (decisions 0026 and 0038). A token of before another profile was
 * chosen names the wrong one, so `signIns` goes before it.
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

/** Another account's device, or one whose token has ended, is none: it can be registered again. */
function readDevice(request: Caller, verify: Verify, accountId: number): { id: number } | null {
  const token = tokenHeader(request, CARRIERS.device.header) ?? request.cookies[CARRIERS.device.cookie]
  const claims = token === undefined ? undefined : verify('device', token)
  if (!claims || claims.account !== accountId || typeof claims.sub !== 'string') return null
  return { id: Number(claims.sub) }
}

/** The token that a header carries, if it does. */
export function tokenHeader(request: Pick<Caller, 'headers'>, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The token that says who is signed in: a header goes before the cookie. */
export function accountTokenOf(request: Caller): { header: string | undefined; cookie: string | undefined } {
  return {
    header: tokenHeader(request, CARRIERS.account.header) ?? bearer(request),
    cookie: request.cookies[CARRIERS.account.cookie],
  }
}

function bearer(request: Caller): string | undefined {
  const value = request.headers.authorization
  return value?.startsWith('Bearer ') ? value.slice('Bearer '.length) : undefined
}

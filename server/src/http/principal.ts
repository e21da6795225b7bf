import type { FastifyRequest } from 'fastify'
import { ServiceError } from './errors.ts'

/** Who makes a call. */
export interface Principal {
  account: { id: number; storefrontId: number } | null
  profile: ActiveProfile | null
  /** True when the tokens came as cookies, which a browser sends by itself. */
  byCookie: boolean
}

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
export const VISITOR: Principal = { account: null, profile: null, byCookie: false }

/** Names of the cookies and headers that carry tokens. */
export const CARRIERS = {
  account: { cookie: 'ondine_account', header: 'x-auth-token' },
  profile: { cookie: 'ondine_profile', header: 'x-profile-token' },
  storefront: { header: 'x-identity-key' },
  operator: { header: 'x-operator-token' },
} as const

/** Checks the tokens of a request. */
export type Verify = (audience: 'account' | 'profile', token: string) => Record<string, unknown> | undefined

/**
 * Reads who makes a call from its tokens. A token in a header that does not hold is an error (-1, so that the client
 * refreshes it); a cookie that does not hold counts as none, because a browser cannot do anything about it.
 */
export function readPrincipal(request: FastifyRequest, verify: Verify): Principal {
  const header = tokenHeader(request, CARRIERS.account.header) ?? bearer(request)
  const cookie = request.cookies[CARRIERS.account.cookie]
  if (header === undefined && cookie === undefined) return VISITOR

  const claims = verify('account', header ?? cookie ?? '')
  if (!claims || typeof claims.sub !== 'string' || typeof claims.storefront !== 'number') {
    if (header !== undefined) throw new ServiceError('tokenInvalid')
    return VISITOR
  }
  const account = { id: Number(claims.sub), storefrontId: claims.storefront }
  return { account, profile: readProfile(request, verify, account.id), byCookie: header === undefined }
}

function readProfile(request: FastifyRequest, verify: Verify, accountId: number): ActiveProfile | null {
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

/** The token that a header carries, if it does. */
export function tokenHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function bearer(request: FastifyRequest): string | undefined {
  const value = request.headers.authorization
  return value?.startsWith('Bearer ') ? value.slice('Bearer '.length) : undefined
}

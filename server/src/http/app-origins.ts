import type { FastifyInstance } from 'fastify'
import { PLAYER_HEADERS } from './cross-origin.ts'
import { CARRIERS, DEVICE_ID_HEADER, SIGN_ON_HEADER } from './principal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a page of a native app made the call. The answer then carries tokens in headers, and no cookies. */
    isFromApp: boolean
  }
}

const TOKENS = [
  ...[CARRIERS.account, CARRIERS.profile, CARRIERS.device].map(({ header }) => header),
  SIGN_ON_HEADER,
]

/** Response headers that the page of an app reads. */
const EXPOSED = [...TOKENS, DEVICE_ID_HEADER, 'content-type', 'date', 'etag', 'retry-after'].join(', ')

/** Request headers that the page of an app sends. The menus are requested with a bearer token (V7-33). */
const ACCEPTED = [
  ...TOKENS,
  CARRIERS.storefront.header,
  'authorization',
  'traceparent',
  ...PLAYER_HEADERS,
].join(', ')

/** Time for which a browser remembers a preflight, in seconds. Chromium's limit is two hours. */
const PREFLIGHT_SECONDS = '7200'

/**
 * Lets pages of native apps call every route, and read all answers, including errors (Fetch standard, 3.2). An
 * app's page is part of the app, so its origin differs from the service's. The page sends tokens in headers
 * instead of cookies, so answers need no `access-control-allow-credentials`.
 *
 * The service's own pages never count as pages of an app, even if `APP_ORIGINS` contains their origin. They keep
 * their cookies, so that scripts cannot read their tokens.
 *
 * @param origins origins of native apps
 * @param own origins of the service's own pages
 */
export function openToApps(app: FastifyInstance, origins: readonly string[], own: readonly string[]): void {
  const allowed = new Set(origins.filter((origin) => !own.includes(origin)))
  app.decorateRequest('isFromApp', false)
  app.addHook('onRequest', async (request, reply) => {
    const { origin, 'access-control-request-method': wanted } = request.headers
    if (origin === undefined || !allowed.has(origin) || isOwn(origin, request.host)) return undefined
    request.isFromApp = true
    // An app sends its tokens in headers only. A browser page with the same origin, such as `https://localhost`,
    // must not use the cookies of a viewer who is signed in there.
    request.cookies = {}
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': EXPOSED,
    })
    if (request.method !== 'OPTIONS' || wanted === undefined) return undefined
    return await reply
      .headers({
        'access-control-allow-methods': 'GET, POST, PUT, DELETE',
        'access-control-allow-headers': ACCEPTED,
        'access-control-max-age': PREFLIGHT_SECONDS,
        'cache-control': 'no-store',
      })
      .status(204)
      .send()
  })
  if (allowed.size === 0) return
  // Answers to other callers need the header too. Otherwise, a cache could reuse for an app an answer without CORS
  // headers.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.getHeader('access-control-allow-origin') === '*') return
    const varies = [reply.getHeader('vary') ?? []].flat().join(', ')
    reply.header('vary', varies === '' ? 'origin' : `${varies}, origin`)
  })
}

/** Returns whether an origin is that of the requested site. A site's scheme is http or https. */
function isOwn(origin: string, host: string): boolean {
  return /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).host === host
}

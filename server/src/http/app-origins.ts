import type { FastifyInstance } from 'fastify'
import { PLAYER_HEADERS } from './cross-origin.ts'
import { CARRIERS, DEVICE_ID_HEADER, SIGN_ON_HEADER } from './principal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a page of a native app made the call. The answer then has tokens in headers, and no cookies. */
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
 * Lets pages of native apps call every route, and read the answers, errors included (Fetch standard, 3.2). The page of
 * an app is part of the app, so its origin is not the origin of the service. Its calls carry tokens in headers instead
 * of cookies, so answers need no `access-control-allow-credentials`.
 *
 * The service's own pages never count as pages of an app, even if their origin is in `APP_ORIGINS`. They keep their
 * cookies, and no script reads their tokens.
 *
 * @param origins origins of native apps
 */
export function openToApps(app: FastifyInstance, origins: readonly string[], own: readonly string[]): void {
  const allowed = new Set(origins.filter((origin) => !own.includes(origin)))
  app.decorateRequest('isFromApp', false)
  app.addHook('onRequest', async (request, reply) => {
    const { origin, 'access-control-request-method': wanted } = request.headers
    if (origin === undefined || !allowed.has(origin) || isOwn(origin, request.host)) return undefined
    request.isFromApp = true
    // The app has its tokens in headers only. A page at the same origin in a browser, such as `https://localhost`, must
    // not act for a viewer who is signed in there.
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
  // Also on answers to other callers. Otherwise, a cache would give an app an answer that it may not read.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.getHeader('access-control-allow-origin') === '*') return
    const varies = [reply.getHeader('vary') ?? []].flat().join(', ')
    reply.header('vary', varies === '' ? 'origin' : `${varies}, origin`)
  })
}

/** Returns whether an origin is that of the requested site. Sites have the scheme http or https. */
function isOwn(origin: string, host: string): boolean {
  return /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).host === host
}

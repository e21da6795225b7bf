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

/** Request headers that the page of an app sends. */
const ACCEPTED = [...TOKENS, CARRIERS.storefront.header, 'traceparent', ...PLAYER_HEADERS].join(', ')

/** Time for which a browser remembers a preflight, in seconds. Chromium's limit is two hours. */
const PREFLIGHT_SECONDS = '7200'

/**
 * Lets pages of native apps call every route, and read the answers, errors included (Fetch standard, 3.2). The page of
 * an app is part of the app, so its origin is not the origin of the service. Its calls carry tokens in headers instead
 * of cookies, so answers need no `access-control-allow-credentials`.
 *
 * The service's own pages are never those of an app, even if their origin is in `APP_ORIGINS`. They keep their cookies,
 * and no script reads their tokens.
 *
 * @param origins origins of native apps (`APP_ORIGINS`)
 * @param own further origins of the service's own pages
 */
export function openToApps(app: FastifyInstance, origins: readonly string[], own: readonly string[]): void {
  const allowed = new Set(origins.filter((origin) => !own.includes(origin)))
  app.decorateRequest('isFromApp', false)
  app.addHook('onRequest', async (request, reply) => {
    const { origin, 'access-control-request-method': wanted } = request.headers
    if (origin === undefined || !allowed.has(origin) || isOwn(origin, request.host)) return undefined
    request.isFromApp = true
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': EXPOSED,
      vary: 'origin',
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
}

/** Returns whether an origin is that of the requested site. Sites have the scheme http or https. */
function isOwn(origin: string, host: string): boolean {
  return /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).host === host
}

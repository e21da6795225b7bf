import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from './errors.ts'

/** Methods that change nothing. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether pages of other sites may call this route. Such a route reads and sets no cookies. */
    openToOtherSites?: boolean
  }
}

/**
 * Rejects requests that a browser sends for a page of another site, except on routes that are `openToOtherSites`.
 * Such a page could sign its visitor out, or in to another account (login CSRF). Browsers send the origin of a
 * request in `Sec-Fetch-Site` or `Origin`. Programs and native apps send neither header and are allowed.
 *
 * @param origins further allowed origins: the public address of the service, and the origins of native apps
 */
export function refuseOtherSites(app: FastifyInstance, origins: readonly string[]): void {
  const allowed = new Set(origins)
  app.addHook('onRequest', async (request) => {
    if (SAFE_METHODS.has(request.method)) return
    if (request.routeOptions.config.openToOtherSites === true) return
    if (comesFromOtherSite(request, allowed)) throw new ServiceError('forbidden')
  })
}

/** Returns whether a browser sent this request for a page of another site. A link on another site counts too. */
export function comesFromOtherSite(
  request: FastifyRequest,
  allowed: ReadonlySet<string> = new Set(),
): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin !== undefined && allowed.has(origin)) return false
  // Browsers send `none` for a request that the person started, such as submitting a form again.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== request.host
}

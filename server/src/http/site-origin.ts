import type { FastifyRequest } from 'fastify'
import type { Settings } from '../env.ts'

/** Scheme and host of the site that a request was made to. */
export interface SiteOrigin {
  /** Empty if the request has no valid host and `PUBLIC_URL` is not set. */
  origin: string
  /** False if the origin comes only from the `Host` of the request, which any client can forge. */
  isKnown: boolean
}

/** The parts of an installation that decide the addresses of its sites. */
interface Deployment {
  settings: Pick<Settings, 'PORT' | 'PUBLIC_URL' | 'TRUST_PROXY'>
  storefronts: {
    ofHost(hostname: string): unknown
    list(): readonly { id: number; apiKey: string; hosts: readonly string[] }[]
  }
}

const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i
const THIS_MACHINE = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/**
 * Returns the origin of this site, for canonical links. Uses the host of the request if a storefront has this host,
 * else the host of `PUBLIC_URL`. Without `PUBLIC_URL`, uses the host of the request in all cases, but then only a
 * loopback host counts as known.
 *
 * Uses the scheme that a trusted proxy forwards. Without a forwarded scheme, uses http for a loopback host, else the
 * scheme of `PUBLIC_URL`, else https (V2.3-07).
 */
export function siteOriginOf(deployment: Deployment, request: FastifyRequest): SiteOrigin {
  const { settings, storefronts } = deployment
  const { host, hostname } = request
  const written = HOST.test(host) ? `${schemeOf(deployment, request)}://${host}` : ''
  // The origin is in lower case, without the default port of the scheme.
  const asked = URL.parse(written)?.origin ?? ''
  if (asked !== '' && storefronts.ofHost(hostname) !== undefined) return { origin: asked, isKnown: true }
  if (settings.PUBLIC_URL !== undefined) return { origin: new URL(settings.PUBLIC_URL).origin, isKnown: true }
  return { origin: asked, isKnown: asked !== '' && THIS_MACHINE.test(hostname) }
}

/**
 * Returns the origin of links in e-mails. Strangers can trigger e-mails, so a host that only the request names is
 * never used.
 */
export function linkOriginOf(deployment: Deployment, request: FastifyRequest): string {
  const { PORT, PUBLIC_URL } = deployment.settings
  const { origin, isKnown } = siteOriginOf(deployment, request)
  if (!isKnown) return `http://localhost:${PORT}`
  const url = new URL(origin)
  const ports = [String(PORT), PUBLIC_URL === undefined ? '' : new URL(PUBLIC_URL).port]
  // A storefront's host is configured without a port, so an unknown port can only come from the request.
  if (!(THIS_MACHINE.test(url.hostname) || ports.includes(url.port))) url.port = ''
  return url.origin
}

/**
 * Returns the origin of a storefront's links outside a request: its first host that is not a loopback host, else
 * `PUBLIC_URL`, else this machine.
 */
export function originOfStorefront({ settings, storefronts }: Deployment, storefrontId: number): string {
  const hosts = storefronts.list().find(({ id }) => id === storefrontId)?.hosts ?? []
  const host = hosts.find((each) => !THIS_MACHINE.test(each))
  if (host !== undefined)
    return `${settings.PUBLIC_URL?.startsWith('http:') === true ? 'http' : 'https'}://${host}`
  return settings.PUBLIC_URL === undefined
    ? `http://localhost:${settings.PORT}`
    : new URL(settings.PUBLIC_URL).origin
}

/**
 * Returns a hint about settings if e-mails of a storefront would link to this machine; undefined when every
 * storefront has an address.
 */
export function missingAddress({ settings, storefronts }: Deployment): string | undefined {
  if (settings.PUBLIC_URL !== undefined) return undefined
  const without = storefronts
    .list()
    .filter(({ hosts }) => hosts.every((host) => THIS_MACHINE.test(host)))
    .map(({ apiKey }) => apiKey)
  if (without.length === 0) return undefined
  return `links in e-mails lead to http://localhost:${settings.PORT} for viewers of ${without.join(', ')}; set PUBLIC_URL to the address that viewers use, or the hosts of storefronts`
}

function schemeOf({ settings }: Deployment, { headers, protocol, hostname }: FastifyRequest): string {
  if (settings.TRUST_PROXY && headers['x-forwarded-proto'] !== undefined)
    return protocol === 'http' ? 'http' : 'https'
  if (THIS_MACHINE.test(hostname)) return 'http'
  return settings.PUBLIC_URL?.startsWith('http:') === true ? 'http' : 'https'
}

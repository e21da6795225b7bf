import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Storefront } from '../../../http/operations.ts'
import { comesFromOtherSite } from '../../../http/own-site.ts'
import type { Storefronts } from './storefronts.service.ts'

/** Cookie with the storefront that a browser shows. Only in a demonstration. */
const CHOICE = 'storefront'

/** The storefront of a page. */
export interface ChosenStorefront {
  storefront: Storefront
  /** Whether all requests with the same URL and cookies get this storefront. */
  isForAll: boolean
}

/**
 * Returns the storefront of a page: by the host name, else by the network of the client (V7-32), else the first
 * storefront. In a demonstration, `?storefront=` takes precedence, and applies until the browser is closed. Links
 * on other sites cannot choose the storefront, because they could make a viewer appear signed out.
 */
export function storefrontOfPage(
  storefronts: Storefronts,
  request: FastifyRequest,
  reply: FastifyReply,
): ChosenStorefront {
  const known = chosen(storefronts, request, reply)
  if (known) return known
  const ofHost = storefronts.ofHost(request.hostname)
  if (ofHost) return { storefront: ofHost, isForAll: true }
  const ofNetwork = storefronts.ofAddress(request.ip)
  return { storefront: ofNetwork ?? storefronts.first(), isForAll: !storefronts.hasNetworks }
}

function chosen(
  storefronts: Storefronts,
  request: FastifyRequest,
  reply: FastifyReply,
): ChosenStorefront | undefined {
  if (!storefronts.first().demonstration) return undefined
  const { storefront } = request.query as { storefront?: unknown }
  const asked = comesFromOtherSite(request) ? undefined : storefront
  const apiKey = typeof asked === 'string' ? asked : request.cookies[CHOICE]
  const found = apiKey === undefined ? undefined : storefronts.of(apiKey)
  if (!found) return undefined
  if (typeof asked !== 'string') return { storefront: found, isForAll: true }
  // The answer sets a cookie, so a cache must not share it among viewers.
  reply.setCookie(CHOICE, found.apiKey, { path: '/', sameSite: 'lax', httpOnly: true })
  return { storefront: found, isForAll: false }
}

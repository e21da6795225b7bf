import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Storefront } from '../../http/operations.ts'
import { comesFromOtherSite } from '../../http/own-site.ts'
import type { Storefronts } from './storefronts.service.ts'

/** Cookie of a demonstration. It stores the storefront that the browser shows. */
const CHOICE = 'storefront'

/**
 * Returns the storefront of a page: by the host name, else by the network of the client (V7-32), else the first storefront. In a
 * demonstration, `?storefront=` takes precedence and holds until the browser is closed. A link of another site cannot choose, because
 * a viewer who is signed in to one storefront is a visitor of the others.
 */
export function storefrontOfPage(
  storefronts: Storefronts,
  request: FastifyRequest,
  reply: FastifyReply,
): Storefront {
  return (
    chosen(storefronts, request, reply) ??
    storefronts.ofHost(request.hostname) ??
    storefronts.ofAddress(request.ip) ??
    storefronts.first()
  )
}

function chosen(
  storefronts: Storefronts,
  request: FastifyRequest,
  reply: FastifyReply,
): Storefront | undefined {
  if (!storefronts.first().demonstration) return undefined
  const { storefront } = request.query as { storefront?: unknown }
  const asked = comesFromOtherSite(request) ? undefined : storefront
  const apiKey = typeof asked === 'string' ? asked : request.cookies[CHOICE]
  const found = apiKey === undefined ? undefined : storefronts.of(apiKey)
  if (found && typeof asked === 'string')
    reply.setCookie(CHOICE, found.apiKey, { path: '/', sameSite: 'lax', httpOnly: true })
  return found
}

import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'

/**
 * Where links in letters lead. The host of a request is believed only where the installation knows it: else a stranger who
 * asks for somebody's link could have it lead elsewhere.
 */
export function linkOrigin(
  { settings, storefronts }: Pick<Context, 'settings' | 'storefronts'>,
  request: FastifyRequest,
): string {
  const { hostname, host, protocol } = request
  if (storefronts.ofHost(hostname) !== undefined || isThisMachine(hostname))
    return new URL(`${protocol}://${host}`).origin
  return settings.PUBLIC_URL?.replace(/\/+$/, '') ?? `http://localhost:${settings.PORT}`
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { ServiceError } from './errors.ts'

/** Counts one more attempt by the caller. @throws ServiceError `slowDown` after too many attempts (A8.3-06) */
export type RateLimit = (request: FastifyRequest) => Promise<void>

/** Length of an IPv6 network that belongs to one client, in bytes: a /64. */
const NETWORK_BYTES = 8

/** Allows `max` attempts per minute for each client ({@link clientOf}), or for each client and result of `about`. */
export function rateLimit(
  app: FastifyInstance,
  max: number,
  about: (request: FastifyRequest) => string = () => '',
): RateLimit {
  const limit = app.createRateLimit({
    max,
    timeWindow: 60_000,
    keyGenerator: (request) =>
      createHash('sha256')
        .update(`${clientOf(request.ip)} ${about(request)}`)
        .digest('base64'),
  })
  return async (request) => {
    const tries = await limit(request)
    if (!tries.isAllowed && tries.isExceeded)
      throw new ServiceError('slowDown', { retryAfterSeconds: Math.ceil(tries.ttl / 1000) })
  }
}

/**
 * Returns the key that identifies a client: its IPv4 address, even if written as IPv6, or the /64 network of its IPv6
 * address. An IPv6 client has at least a /64 network, and could use a different address in it for each attempt.
 */
function clientOf(address: string): string {
  // A proxy may report something else, such as `unknown`.
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return Buffer.from(parsed.toByteArray().slice(0, NETWORK_BYTES)).toString('hex')
}

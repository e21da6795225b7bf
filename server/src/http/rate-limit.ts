import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { ServiceError } from './errors.ts'

/** Counts one more attempt by the caller. @throws ServiceError `slowDown` after too many attempts (A8.3-06) */
export type RateLimit = (request: FastifyRequest) => Promise<void>

/** Period in which attempts are counted, in milliseconds. */
export const MINUTE_MS = 60_000

/** Options of a rate limit. */
export interface RateLimitOptions {
  /** Maximum number of attempts in a period. */
  max: number
  /** Length of the period, a minute by default. */
  periodMs?: number
  /** Returns what a client tries, to count each of these separately; by default, a client has one count. */
  about?: (request: FastifyRequest) => string
}

/** Length of an IPv6 network that belongs to one client, in bytes: a /64. */
const NETWORK_BYTES = 8

/**
 * Limits the attempts of each client ({@link clientOf}) in this process. For limits on load. `sharedRateLimit` of
 * `people/attempts` is for guesses.
 */
export function rateLimit(
  app: FastifyInstance,
  { max, periodMs = MINUTE_MS, about }: RateLimitOptions,
): RateLimit {
  const limit = app.createRateLimit({
    max,
    timeWindow: periodMs,
    keyGenerator: (request) => attemptKey(request, about),
  })
  return async (request) => {
    const tries = await limit(request)
    if (!tries.isAllowed && tries.isExceeded)
      throw new ServiceError('slowDown', { retryAfterSeconds: Math.ceil(tries.ttl / 1000) })
  }
}

/**
 * Returns the key under which the attempts of a client are counted. It is a hash, so that logs and copies of the database
 * do not show addresses and user names. The hash has no secret, so a search through all IPv4 addresses can find them.
 */
export function attemptKey(request: FastifyRequest, about: RateLimitOptions['about'] = () => ''): string {
  return createHash('sha256')
    .update(`${clientOf(request.ip)} ${about(request)}`)
    .digest('base64')
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

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from './errors.ts'

/** Counts one more attempt by the caller. @throws ServiceError `slowDown` after too many attempts (A8.3-06) */
export type RateLimit = (request: FastifyRequest) => Promise<void>

/** Allows `max` attempts per minute for each client address, or for each client address and result of `about`. */
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
        .update(`${request.ip} ${about(request)}`)
        .digest('base64'),
  })
  return async (request) => {
    const tries = await limit(request)
    if (!tries.isAllowed && tries.isExceeded)
      throw new ServiceError('slowDown', { retryAfterSeconds: Math.ceil(tries.ttl / 1000) })
  }
}

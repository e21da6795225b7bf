import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from './errors.ts'

/** Counts one more attempt of a caller. @throws ServiceError `slowDown` when there were too many (A8.3-06) */
export type Attempt = (request: FastifyRequest) => Promise<void>

/** Allows so many attempts a minute to each client address, or to each with what `about` says of the request. */
export function attemptsOf(
  app: FastifyInstance,
  max: number,
  about: (request: FastifyRequest) => string = () => '',
): Attempt {
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

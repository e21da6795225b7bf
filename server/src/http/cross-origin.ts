import type { FastifyInstance } from 'fastify'
import { ServiceError } from './errors.ts'

/** Response headers that let players of any origin read an answer, and measure how long it took. */
export const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'content-length, content-range, date, etag',
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
} as const

/** Request headers that players send: ranges, revalidation, licence requests, and CMCD (CTA-5004, 3.1). */
export const PLAYER_HEADERS = [
  'accept',
  'cache-control',
  'cmcd-object',
  'cmcd-request',
  'cmcd-session',
  'cmcd-status',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'pragma',
  'range',
]

/**
 * Sets `headers` on every answer of a scope, so that players of any origin can also read its errors. This includes
 * errors of hooks, of the body parser, and of addresses without a route.
 */
export function openToPlayers(scope: FastifyInstance, headers: typeof CROSS_ORIGIN): void {
  // Not `onRequest`: hooks of the whole server run first, and may refuse a request before the hooks of this scope
  // run.
  scope.addHook('onSend', async (_request, reply) => {
    reply.headers(headers)
  })
  scope.setNotFoundHandler(() => {
    throw new ServiceError('notImplemented')
  })
}

/** Answers preflight requests of browsers (Fetch standard, 3.2.2). */
export function answerPreflights(app: FastifyInstance, paths: readonly string[], methods: string): void {
  for (const path of paths) {
    app.options(path, async (_request, reply) =>
      reply
        .headers({
          ...CROSS_ORIGIN,
          'access-control-allow-methods': methods,
          'access-control-allow-headers': PLAYER_HEADERS.join(', '),
          'access-control-max-age': '86400',
          'cache-control': 'no-store',
        })
        .status(204)
        .send(),
    )
  }
}

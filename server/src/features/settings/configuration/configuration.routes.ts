import {
  changeConfiguration,
  configurationHistory,
  diffConfiguration,
  readConfiguration,
  redirectedKey,
  replaceConfiguration,
  restoreConfiguration,
  undoConfiguration,
} from '@ondine/contract/configuration-calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { authorOf, documentHandlers } from '../../../documents/document-handlers.ts'
import { ServiceError } from '../../../http/errors.ts'
import { isKnown } from '../../../http/is-known.ts'
import type { On } from '../../../http/operations.ts'

/**
 * Allows a proxy to cache the answer for one second, so that the service gets at most one request per second for
 * it.
 */
const SHORT_CACHE = 'public, max-age=1'

export function registerConfiguration(
  app: FastifyInstance,
  on: On,
  { configurations, storefronts }: Context,
): void {
  app.get<{ Params: { apiKey: string; file: string } }>(
    '/configuration/:apiKey/data/:file',
    async (request, reply) => {
      const { apiKey, file: name } = request.params
      const storefront = storefronts.of(apiKey)
      const file = storefront && configurations.state(storefront.id).files.get(name.replace(/\.json$/, ''))
      if (!file) throw new ServiceError('notFound')
      reply.header('etag', file.tag).header('cache-control', SHORT_CACHE)
      // The answer is public. Native apps, which have other origins, read it too.
      reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'etag')
      if (isKnown(request.headers['if-none-match'], file.tag)) return reply.status(304).send()
      return reply.type('application/json; charset=utf-8').send(file.body)
    },
  )

  on(redirectedKey, ({ clientIp }, { request }) => ({
    apiKey: (storefronts.ofAddress(clientIp ?? request.ip) ?? storefronts.first()).apiKey,
  }))

  on(readConfiguration, (_input, { storefront }) => ({
    ...configurations.stored(storefront.id),
    configuration: configurations.of(storefront.id),
  }))

  on(
    changeConfiguration,
    async ({ revision, changes, ...why }, call) =>
      await configurations.change(call.storefront.id, revision, changes, authorOf(call, why)),
  )

  const { replace, restore, undo, history, diff } = documentHandlers(({ id }) => configurations.document(id))
  on(replaceConfiguration, replace)
  on(restoreConfiguration, restore)
  on(undoConfiguration, undo)
  on(configurationHistory, history)
  on(diffConfiguration, diff)
}

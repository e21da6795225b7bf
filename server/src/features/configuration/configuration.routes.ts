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
import type { Context } from '../../context.ts'
import { ServiceError } from '../../http/errors.ts'
import { isKnown } from '../../http/is-known.ts'
import type { On } from '../../http/operations.ts'
import { presentHistory } from '../documents/document-editor.ts'

/** A proxy may answer for this long without asking, so that any number of pages costs one question. */
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
      // Public, and read by native applications, whose pages come from elsewhere.
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
    async ({ revision, changes, reason }, { storefront, operator }) =>
      await configurations.change(storefront.id, revision, changes, { author: operator.name, reason }),
  )

  on(
    replaceConfiguration,
    async ({ revision, document, reason }, { storefront, operator }) =>
      await configurations.replace(storefront.id, revision, document, { author: operator.name, reason }),
  )

  on(
    restoreConfiguration,
    async ({ revision, to, reason }, { storefront, operator }) =>
      await configurations.restore(storefront.id, revision, to, { author: operator.name, reason }),
  )

  on(
    undoConfiguration,
    async ({ revision, reason }, { storefront, operator }) =>
      await configurations.undo(storefront.id, revision, { author: operator.name, reason }),
  )

  on(configurationHistory, async (page, { storefront }) => {
    return presentHistory(await configurations.history(storefront.id, page))
  })

  on(
    diffConfiguration,
    async ({ from, to }, { storefront }) => await configurations.diff(storefront.id, from, to),
  )
}

import { isLanguage } from '@ondine/contract/languages'
import {
  changeWords,
  diffWords,
  readWords,
  replaceWords,
  restoreWords,
  undoWords,
  wordsHistory,
} from '@ondine/contract/words-calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../http/errors.ts'
import type { On } from '../../http/operations.ts'
import { presentHistory } from '../documents/document-editor.ts'

/** What an address with a tag holds never changes. */
const FOREVER = 'public, max-age=31536000, immutable'
/** A proxy may answer for this long without asking, so that any number of readers costs one question. */
const SHORT = 'public, max-age=1'

export function registerWords(app: FastifyInstance, on: On, { words, storefronts }: Context): void {
  // `fra.json` is the catalogue with its groups; `fra.{tag}.json` is what pages read of it.
  app.get<{ Params: { apiKey: string; file: string } }>(
    '/translations/:apiKey/:file',
    async (request, reply) => {
      const { apiKey, file } = request.params
      const [, code = '', tag] = /^([a-z]{3})(?:\.([\da-f]{20}))?\.json$/.exec(file) ?? []
      const storefront = storefronts.of(apiKey)
      if (!storefront || !isLanguage(code) || !words.has(storefront.id, code))
        throw new ServiceError('notFound')
      const state = words.state(storefront.id, code)
      reply
        .type('application/json; charset=utf-8')
        .header('etag', `"${state.tag}${tag === undefined ? 'c' : ''}"`)
        // Who asks for what was there before gets what is there now.
        .header('cache-control', state.tag === tag ? FOREVER : SHORT)
        // Public, and read by native applications, whose pages come from elsewhere.
        .header('access-control-allow-origin', '*')
      if (tag === undefined) return reply.send(words.catalogue(storefront.id, code))
      reply.header('vary', 'accept-encoding')
      return /\bbr\b/.test(request.headers['accept-encoding'] ?? '')
        ? reply.header('content-encoding', 'br').send(await state.packed())
        : reply.send(state.body)
    },
  )

  on(readWords, ({ language }, { storefront }) => ({
    ...words.stored(storefront.id, language),
    catalogue: words.catalogue(storefront.id, language),
    missing: words.state(storefront.id, language).missing,
  }))

  on(
    changeWords,
    async ({ language, revision, changes, reason }, { storefront, operator }) =>
      await words.change(storefront.id, language, revision, changes, { author: operator.name, reason }),
  )

  on(
    replaceWords,
    async ({ language, revision, document, reason }, { storefront, operator }) =>
      await words.replace(storefront.id, language, revision, document, { author: operator.name, reason }),
  )

  on(
    restoreWords,
    async ({ language, revision, to, reason }, { storefront, operator }) =>
      await words.restore(storefront.id, language, revision, to, { author: operator.name, reason }),
  )

  on(
    undoWords,
    async ({ language, revision, reason }, { storefront, operator }) =>
      await words.undo(storefront.id, language, revision, { author: operator.name, reason }),
  )

  on(wordsHistory, async ({ language, ...page }, { storefront }) =>
    presentHistory(await words.history(storefront.id, language, page)),
  )

  on(
    diffWords,
    async ({ language, from, to }, { storefront }) => await words.diff(storefront.id, language, from, to),
  )
}

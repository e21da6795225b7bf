import { isLanguage, type Language } from '@ondine/contract/languages'
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
import type { Context } from '../../../context.ts'
import { authorOf, documentHandlers } from '../../../documents/document-handlers.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'

/**
 * `Cache-Control` for addresses that contain the tag of their content. This content never changes, so clients can
 * cache it forever.
 */
const FOREVER = 'public, max-age=31536000, immutable'
/**
 * Allows a proxy to cache the answer for one second, so that the service gets at most one request per second for
 * it.
 */
const SHORT = 'public, max-age=1'

export function registerWords(app: FastifyInstance, on: On, { words, storefronts }: Context): void {
  // `fra.json` is the complete catalogue in the format of V3-56. `fra.{tag}.json` contains only the texts
  // that pages load.
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
        // A request with an old tag gets the current content, which must not be cached under the old tag.
        .header('cache-control', state.tag === tag ? FOREVER : SHORT)
        // The answer is public. Native apps, which have other origins, read it too.
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
    async ({ language, revision, changes, ...why }, call) =>
      await words.change(call.storefront.id, language, revision, changes, authorOf(call, why)),
  )

  const { replace, restore, undo, history, diff } = documentHandlers<{ language: Language }>(
    ({ id }, { language }) => words.document(id, language),
  )
  on(replaceWords, replace)
  on(restoreWords, restore)
  on(undoWords, undo)
  on(wordsHistory, history)
  on(diffWords, diff)
}

import { isLanguage } from '@ondine/contract/languages'
import { PUBLICATION_PATH } from '@ondine/contract/publication'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import * as z from 'zod'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { OnInside, Storefront } from '../../../http/operations.ts'
import { WrittenAnswer } from '../../../http/prepared-answer.ts'
import { principalAt, readPrincipal, type TokenCarrier } from '../../../http/principal.ts'
import { SharedAnswers } from '../../../http/shared-answers.ts'
import { audienceOf, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import { publicationOf } from './publication.service.ts'
import { answerQuery, readQuery } from './schema.ts'

/** GraphQL request over HTTP, without variables (V7-33). Some clients also send the name of the operation. */
const request = z.object({ query: z.string(), operationName: z.string().max(100).nullish() })

/**
 * Registers the menus (V7-33, spec 10). The bearer token is the api key of the storefront, which selects the
 * menus. The viewer is identified by the same headers and cookies as in other calls.
 */
export function registerPublication(app: FastifyInstance, onInside: OnInside, context: Context): void {
  const { menus, clock, storefronts, settings, keys, endedSignIns, viewers } = context
  const introspection = process.env.NODE_ENV === 'development'
  const shared = new SharedAnswers<WrittenAnswer>(settings.CATALOGUE_CACHE_SECONDS)

  app.post(PUBLICATION_PATH, { config: { operation: 'publication' } }, async (call, reply) => {
    reply.type('application/json; charset=utf-8')
    const storefront = storefrontOf(call)
    if (!storefront) {
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer')
        .send(refusal('The bearer names no storefront.'))
    }
    const body = request.safeParse(call.body)
    if (!body.success) return reply.code(400).send(refusal('The body is not {"query": "…"}.'))
    try {
      return (await answerTo(body.data.query, call, storefront)).body
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      return reply.code(400).send(refusal(error.message))
    }
  })
  onInside('POST', PUBLICATION_PATH, 'publication', async ({ fields, caller, apiKey }) => {
    const storefront = storefronts.of(apiKey ?? '')
    if (!storefront) throw new ServiceError('unknownStorefront')
    return await answerTo(request.parse(fields).query, caller, storefront)
  })

  /** Answers a query. @throws GraphQLError for an invalid query */
  async function answerTo(
    query: string,
    caller: TokenCarrier,
    storefront: Storefront,
  ): Promise<WrittenAnswer> {
    const now = clock.now()
    const document = readQuery(query, { introspection })
    const viewer = await viewerOf(caller, storefront, now)
    const { revision } = menus.document(storefront.id).current()
    const key = JSON.stringify([storefront.id, revision, query, audienceOf(viewer)])
    return await shared.get(key, now, async () => {
      const answer = await answerQuery(document, {
        publication: async ({ language }) => {
          if (!isLanguage(language)) throw new GraphQLError('The language is not one of this service.')
          return await publicationOf(context, storefront.id, { viewer, language, now })
        },
      })
      for (const { originalError } of answer.errors ?? []) if (originalError) throw originalError
      // Converts the answer to plain JSON values, as clients receive them.
      return new WrittenAnswer(JSON.parse(JSON.stringify(answer)))
    })
  }

  function storefrontOf({ headers }: FastifyRequest): Storefront | undefined {
    const [, key] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
    return key === undefined ? undefined : storefronts.of(key)
  }

  /**
   * Returns the viewer. An expired token still identifies the viewer here. Other calls of the web page renew the
   * token, and until then, a child must not see the menus of viewers who are not signed in. With a token that is
   * invalid for another reason, the caller counts as not signed in. The other calls of the web page then report the
   * fault.
   */
  async function viewerOf(
    { headers, cookies }: TokenCarrier,
    storefront: Storefront,
    now: number,
  ): Promise<Viewer> {
    try {
      // The bearer token identifies the storefront here, not a person.
      const caller = { headers: { ...headers, authorization: undefined }, cookies }
      const principal = principalAt(storefront, readPrincipal(caller, keys.readEnded, endedSignIns))
      // A token of the local player opens only the calls of downloads. This route reads the token itself, so it
      // needs the same check as other calls.
      if (principal.account?.isLent === true) throw new ServiceError('tokenInvalid')
      return await viewers.of({ ...principal, storefront }, now)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.error !== 'tokenInvalid') throw error
      return await viewers.of({ account: null, profile: null, storefront }, now)
    }
  }
}

function refusal(message: string): string {
  return JSON.stringify({ errors: [{ message }] })
}

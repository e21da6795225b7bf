import { isLanguage } from '@ondine/contract/languages'
import { PUBLICATION_PATH } from '@ondine/contract/publication'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import * as z from 'zod'
import type { Context } from '../../context.ts'
import type { Storefront } from '../../http/operations.ts'
import { SharedAnswers } from '../../http/shared-answers.ts'
import { publicationOf } from './publication.service.ts'
import { answerQuery, readQuery } from './schema.ts'

/** A GraphQL request over HTTP; without variables (V7-33). Other clients send their names for it along. */
const request = z.object({ query: z.string(), operationName: z.string().max(100).nullish() })

/**
 * The menus (V7-33, decision 10). The bearer is the api key of the storefront: what it guards is which menus are shown, and
 * everyone who may see the storefront may see those.
 */
export function registerPublication(app: FastifyInstance, context: Context): void {
  const { menus, clock, storefronts, settings } = context
  const introspection = process.env.NODE_ENV === 'development'
  const shared = new SharedAnswers<string>(settings.CATALOGUE_CACHE_SECONDS)

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
    const { query } = body.data
    const now = clock.now()
    try {
      const document = readQuery(query, { introspection })
      return await shared.get(
        JSON.stringify([storefront.id, menus.document(storefront.id).current().revision, query]),
        now,
        async () => {
          const answer = await answerQuery(document, {
            publication: async ({ language }) => {
              if (!isLanguage(language)) throw new GraphQLError('The language is not one of this service.')
              return await publicationOf(context, storefront.id, language, now)
            },
          })
          for (const { originalError } of answer.errors ?? []) if (originalError) throw originalError
          return JSON.stringify(answer)
        },
      )
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      return reply.code(400).send(refusal(error.message))
    }
  })

  function storefrontOf({ headers }: FastifyRequest): Storefront | undefined {
    const [, key] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
    return key === undefined ? undefined : storefronts.of(key)
  }
}

function refusal(message: string): string {
  return JSON.stringify({ errors: [{ message }] })
}

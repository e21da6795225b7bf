import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../http/errors.ts'
import { encodingOf } from '../../http/page-encoding.ts'
import { answerPreflights, CROSS_ORIGIN } from './cross-origin.ts'
import { readLicenceRequest, writeLicence } from './licence.ts'
import { type LicenceDesk, type LicensedKey, licensedKeys } from './licences.service.ts'
import { readManifestQuery } from './manifest-query.ts'
import type { Manifests } from './manifests.ts'
import type { PlaybackSession, SessionReader } from './sessions.ts'

/** Largest licence request, in bytes: 64 key ids take two kilobytes. */
const LICENCE_LIMIT = 16 * 1024

/** These addresses lead to keys, and the token in them is the only right that is needed. */
export const PLAY_HEADERS = { ...CROSS_ORIGIN, 'cache-control': 'no-store' } as const

/**
 * What a playback session leads to: manifests, licences, keys. Its token is checked without the database; manifests name
 * each other relatively and so inherit it.
 */
export function registerPlay(
  app: FastifyInstance,
  { clock, metrics, settings }: Context,
  sessions: SessionReader,
  manifests: Manifests,
  desk: LicenceDesk,
): void {
  answerPreflights(app, ['/time'], 'GET, HEAD')
  app.get('/time', async (_request, reply) => {
    reply.headers(PLAY_HEADERS).type('text/plain; charset=utf-8')
    return new Date(clock.now()).toISOString()
  })
  app.register(play, { prefix: '/play' })

  async function play(scope: FastifyInstance): Promise<void> {
    // A licence request is JSON, whatever a player says that it is: some say nothing.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LICENCE_LIMIT }, (_request, body, done) =>
      done(null, body),
    )
    answerPreflights(scope, ['/:token/*'], 'GET, HEAD, POST')

    scope.get<{ Params: { token: string; file: string }; Querystring: Record<string, unknown> }>(
      '/:token/:file',
      async ({ params: { token, file }, query, headers, protocol, host }, reply) => {
        const session = sessionOf(reply, token)
        const manifest = await manifests.write(
          {
            session,
            file,
            query: readManifestQuery(query),
            licenceUrl: new URL(`/play/${token}/licence`, settings.PUBLIC_URL ?? `${protocol}://${host}`)
              .href,
            encoding: encodingOf(headers['accept-encoding']),
          },
          clock.now(),
        )
        if (!manifest) throw new ServiceError('noMediaFound')
        const { format, contentType, encoding, body } = manifest
        metrics.manifests.inc({ kind: session.content.kind, format })
        if (encoding !== undefined) reply.header('content-encoding', encoding)
        return reply.header('vary', 'accept-encoding').type(contentType).send(body)
      },
    )

    scope.post<{ Params: { token: string } }>(
      '/:token/licence',
      { config: { openToOtherSites: true } },
      async ({ params: { token }, body }, reply) => {
        const session = sessionOf(reply, token)
        const granted = await grant(session, readLicenceRequest(body))
        return reply.type('application/json').send(JSON.stringify(writeLicence(granted)))
      },
    )

    scope.get<{ Params: { token: string; keyId: string } }>(
      '/:token/key/:keyId',
      async ({ params: { token, keyId } }, reply) => {
        const session = sessionOf(reply, token)
        if (!/^[0-9a-f]{32}$/.test(keyId)) throw new ServiceError('notFound')
        const [granted] = await grant(session, [keyId])
        return reply.type('application/octet-stream').send(granted?.[1])
      },
    )
  }

  function sessionOf(reply: FastifyReply, token: string): PlaybackSession {
    reply.headers(PLAY_HEADERS)
    const session = sessions.read(token, clock.now())
    if (!session) throw new ServiceError('tokenInvalid')
    return session
  }

  async function grant(session: PlaybackSession, keyIds: readonly string[]): Promise<LicensedKey[]> {
    try {
      const granted = await licensedKeys(desk, session, keyIds, clock.now())
      metrics.licences.inc({ outcome: 'granted' })
      return granted
    } catch (error) {
      metrics.licences.inc({ outcome: error instanceof ServiceError ? error.error : 'failed' })
      throw error
    }
  }
}

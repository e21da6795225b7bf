import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../http/errors.ts'
import { encodingOf } from '../../http/page-encoding.ts'
import { readLicenceRequest, writeLicence } from './licence.ts'
import { type LicenceDesk, type LicensedKey, licensedKeys } from './licences.service.ts'
import type { Manifests } from './manifests.ts'
import type { PlaybackSession, SessionReader } from './sessions.ts'

/** Largest licence request, in bytes: 64 key ids take two kilobytes. */
const LICENCE_LIMIT = 16 * 1024

/** Other players and devices read these addresses too; the token in the address is all the right that there is. */
export const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'content-length, date',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-store',
} as const

/**
 * What a playback session leads to: manifests, licences, keys. Its token is checked without the database; manifests name
 * each other relatively and so inherit it.
 */
export function registerPlay(
  app: FastifyInstance,
  { clock, metrics }: Context,
  sessions: SessionReader,
  manifests: Manifests,
  desk: LicenceDesk,
): void {
  app.get('/time', async (_request, reply) => {
    reply.headers(CROSS_ORIGIN).type('text/plain; charset=utf-8')
    return new Date(clock.now()).toISOString()
  })
  app.register(play, { prefix: '/play' })

  async function play(scope: FastifyInstance): Promise<void> {
    // A licence request is JSON, whatever a player says that it is: some say nothing.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LICENCE_LIMIT }, (_request, body, done) =>
      done(null, body),
    )
    scope.options('/:token/*', async (_request, reply) =>
      reply
        .headers({
          ...CROSS_ORIGIN,
          'access-control-allow-methods': 'GET, HEAD, POST',
          'access-control-allow-headers': 'content-type, range',
          'access-control-max-age': '86400',
        })
        .status(204)
        .send(),
    )

    scope.get<{ Params: { token: string; file: string } }>(
      '/:token/:file',
      async ({ params: { token, file }, headers }, reply) => {
        const session = sessionOf(reply, token)
        const accepted = encodingOf(headers['accept-encoding'])
        const manifest = await manifests.write(session, token, file, clock.now(), accepted)
        if (!manifest) throw new ServiceError('noMediaFound')
        const { format, contentType, encoding, body } = manifest
        metrics.manifests.inc({ kind: session.content.kind, format })
        if (encoding !== undefined) reply.header('content-encoding', encoding)
        return reply.header('vary', 'accept-encoding').type(contentType).send(body)
      },
    )

    scope.post<{ Params: { token: string } }>(
      '/:token/licence',
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
    reply.headers(CROSS_ORIGIN)
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

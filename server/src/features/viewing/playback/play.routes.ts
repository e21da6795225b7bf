import { setTimeout as pause } from 'node:timers/promises'
import type { KeySystem } from '@ondine/media/pssh'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { answerPreflights, CROSS_ORIGIN, openToPlayers } from '../../../http/cross-origin.ts'
import { invalidFields, ServiceError } from '../../../http/errors.ts'
import { encodingOf } from '../../../http/packed-body.ts'
import { siteOriginOf } from '../../../http/site-origin.ts'
import type { TrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import type { DrmProvider } from '../../streams/drm-providers/drm-provider.ts'
import {
  type DashAddresses,
  type Manifests,
  readManifestQuery,
  TIME_PATH,
} from '../../streams/manifests/manifests.service.ts'
import type { ChannelAir } from '../../streams/on-air/on-air.service.ts'
import type { PlaybackSession, SessionReader } from '../../streams/play-sessions/play-sessions.service.ts'
import type { Relays } from '../../streams/relays/relays.service.ts'
import type { SessionBreaks } from '../ads/live-breaks.service.ts'
import type { RecordingParts } from '../recordings/recordings.service.ts'
import { readLicenceRequest, writeLicence } from './clear-key.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { type Licensed, licensedKeys } from './licences.service.ts'
import { registerRelays } from './relay.routes.ts'

/** Largest licence request, in bytes. Requests of Widevine and FairPlay contain certificates of the device. */
const LICENCE_LIMIT = 64 * 1024

/** Key systems of a DRM provider, by the last part of the licence address. */
const SYSTEMS: Readonly<Record<string, KeySystem>> = { widevine: 'widevine', fairplay: 'fairPlay' }

/**
 * Answers at addresses with a session token are never stored, because the token alone gives access to the keys.
 */
const PLAY_HEADERS = { ...CROSS_ORIGIN, 'cache-control': 'no-store' } as const

/**
 * How long a request for a manifest waits for media that is about to arrive, in milliseconds. Longer than a segment, and
 * shorter than players wait for an answer.
 */
const ARRIVING_MS = 6000
const LOOK_MS = 200

/** The parts that start playback and serve the addresses of a session. `service.ts` composes them. */
export interface PlaybackParts {
  sessions: SessionReader
  trackSets: TrackSetStore
  air: ChannelAir
  manifests: Manifests
  liveBreaks: SessionBreaks
  relays: Relays
  concurrencyLimit: ConcurrencyLimit
  recordings: RecordingParts
  /** Undefined without a DRM provider: then the service issues Clear Key licences. */
  drmProvider: DrmProvider | undefined
}

/** Registers the addresses that players use: the clock, and the addresses of a playback session. */
export function registerPlay(app: FastifyInstance, context: Context, parts: PlaybackParts): void {
  registerTime(app, context)
  app.register(
    async (scope) => {
      openToPlayers(scope, PLAY_HEADERS)
      registerSessions(scope, context, parts)
      registerRelays(scope, context, parts)
    },
    { prefix: '/play' },
  )
}

/** Registers the clock that manifests refer to. */
function registerTime(app: FastifyInstance, { clock }: Pick<Context, 'clock'>): void {
  answerPreflights(app, [TIME_PATH], 'GET, HEAD')
  app.get(TIME_PATH, async (_request, reply) => {
    reply.headers(PLAY_HEADERS).type('text/plain; charset=utf-8')
    return new Date(clock.now()).toISOString()
  })
}

/**
 * Registers the addresses of a playback session: manifests, licences, keys. The token is checked without the
 * database. Manifests refer to each other by relative addresses, so every address contains the token.
 *
 * @param app the scope of `/play`
 */
function registerSessions(app: FastifyInstance, context: Context, parts: PlaybackParts): void {
  const { db, configurations, clock, metrics, log } = context
  const { sessions, manifests, trackSets, air, liveBreaks, concurrencyLimit, recordings, drmProvider } = parts
  const desk = { db, configurations, trackSets, air, liveBreaks, concurrencyLimit, recordings }
  // A licence request is parsed as JSON regardless of its content type, because players send different
  // content types or none.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LICENCE_LIMIT }, (_request, body, done) =>
    done(null, body),
  )
  answerPreflights(app, ['/:token/*'], 'GET, HEAD, POST')

  app.get<{ Params: { token: string; file: string }; Querystring: Record<string, unknown> }>(
    '/:token/:file',
    async (request, reply) => {
      const { params, query, headers } = request
      const session = sessionOf(params.token)
      const wanted = {
        session,
        file: params.file,
        query: readManifestQuery(query),
        addresses: () => addressesOf(request, params.token),
        encoding: encodingOf(headers['accept-encoding']),
      }
      let manifest = await manifests.write(wanted, clock.now())
      for (let waited = 0; !manifest && waited < ARRIVING_MS; waited += LOOK_MS) {
        if (!isArriving(session, clock.now())) break
        // Long work need not wait for a segment.
        request.noteAnswered?.()
        await pause(LOOK_MS)
        manifest = await manifests.write(wanted, clock.now())
      }
      if (!manifest) throw new ServiceError('noMediaFound')
      const { format, contentType, encoding, body } = manifest
      metrics.manifests.inc({ kind: session.content.kind, format })
      if (encoding !== undefined) reply.header('content-encoding', encoding)
      return reply.header('vary', 'accept-encoding').type(contentType).send(body)
    },
  )

  app.post<{ Params: { token: string } }>(
    '/:token/licence',
    { config: { openToOtherSites: true } },
    async ({ params: { token }, body }, reply) => {
      const session = sessionOf(token)
      const { keys } = await grantClearKeys(session, readLicenceRequest(body))
      return reply.type('application/json').send(JSON.stringify(writeLicence(keys)))
    },
  )

  for (const [name, system] of Object.entries(SYSTEMS)) {
    app.post<{ Params: { token: string }; Querystring: { keyId?: unknown } }>(
      `/:token/${name}`,
      { config: { openToOtherSites: true } },
      async ({ params: { token }, query: { keyId }, body }, reply) => {
        const session = sessionOf(token)
        const order = readOrder(keyId, body)
        const licence = await grant(session, order.keyIds, async (granted) => {
          if (!drmProvider || !session.viewer) throw new ServiceError('licenceRefused')
          const { accountId } = session.viewer
          const { request } = order
          const ordered = { system, request, ...granted, accountId, sessionId: session.id }
          try {
            return await drmProvider.licence(ordered, clock.now())
          } catch (error) {
            // The viewer has the right to the key, so the log tells the operator why there is no licence.
            if (error instanceof ServiceError && error.error === 'licenceRefused')
              log.warn({ err: error.cause, system }, 'the licence provider refused a licence')
            throw error
          }
        })
        return reply.type('application/octet-stream').send(licence)
      },
    )
  }

  app.get<{ Params: { token: string } }>('/:token/certificate', async ({ params: { token } }, reply) => {
    sessionOf(token)
    if (!drmProvider) throw new ServiceError('notFound')
    return reply.type('application/octet-stream').send(await drmProvider.fairPlayCertificate())
  })

  app.get<{ Params: { token: string; keyId: string } }>(
    '/:token/key/:keyId',
    async ({ params: { token, keyId } }, reply) => {
      const session = sessionOf(token)
      if (!/^[0-9a-f]{32}$/.test(keyId)) throw new ServiceError('notFound')
      const { keys } = await grantClearKeys(session, [keyId])
      return reply.type('application/octet-stream').send(keys[0]?.key)
    },
  )

  function sessionOf(token: string): PlaybackSession {
    return sessions.require(token, clock.now())
  }

  /**
   * Returns the absolute addresses for a manifest.
   *
   * @throws ServiceError invalidInput if the origin of this site is not certain (docs/decisions/0043)
   */
  function addressesOf(request: FastifyRequest, token: string): DashAddresses {
    const { origin, isKnown } = siteOriginOf(context, request)
    if (!isKnown) {
      throw invalidFields([
        {
          field: 'laurl',
          message: 'needs the address of this site: set PUBLIC_URL, or the hosts of a storefront',
        },
      ])
    }
    const licence = drmProvider ? 'widevine' : 'licence'
    return { licenceUrl: `${origin}/play/${token}/${licence}`, utcTimingUrl: `${origin}${TIME_PATH}` }
  }

  /** Grants keys without a DRM provider. With a provider, the service sends no key in the clear. */
  async function grantClearKeys(session: PlaybackSession, keyIds: readonly string[]): Promise<Licensed> {
    return await grant(session, keyIds, async (granted) => {
      if (drmProvider) throw new ServiceError('licenceRefused')
      return granted
    })
  }

  /** Checks which keys a session may have now, makes the licence, and counts the outcome. */
  async function grant<Licence>(
    session: PlaybackSession,
    keyIds: readonly string[] | null,
    licence: (granted: Licensed) => Promise<Licence>,
  ): Promise<Licence> {
    try {
      const granted = await licence(await licensedKeys(desk, session, keyIds, clock.now()))
      metrics.licences.inc({ outcome: 'granted' })
      return granted
    } catch (error) {
      metrics.licences.inc({ outcome: error instanceof ServiceError ? error.error : 'failed' })
      throw error
    }
  }
}

/**
 * Returns whether the media of a session may still arrive: because its viewer may not see the programme that has just
 * ended, so that the next segment is its first; or because the last segment of an event has been stored, but is not in
 * the Timeline yet. Players ask for the first manifest only for one or two seconds, so they must not be refused.
 */
function isArriving({ content }: PlaybackSession, now: number): boolean {
  if (!('window' in content)) return false
  const { window } = content
  if (window.kind === 'closed') return now - window.to < ARRIVING_MS
  return window.kind === 'live' && window.since !== undefined && now - window.since < ARRIVING_MS
}

/**
 * Reads a licence request for a DRM provider. With `keyId`, the request is for one of the session's keys; otherwise
 * for all of them.
 *
 * @throws ServiceError invalidInput
 */
function readOrder(keyId: unknown, body: unknown): { keyIds: [string] | null; request: Buffer } {
  if (!Buffer.isBuffer(body) || body.length === 0)
    throw invalidFields([{ field: 'body', message: 'must be a licence request' }])
  if (keyId === undefined) return { keyIds: null, request: body }
  if (typeof keyId !== 'string' || !/^[0-9a-f]{32}$/.test(keyId))
    throw invalidFields([{ field: 'keyId', message: 'must be 32 hexadecimal digits' }])
  return { keyIds: [keyId], request: body }
}

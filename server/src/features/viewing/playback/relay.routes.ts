import { Readable } from 'node:stream'
import { LIVE_WINDOW_SECONDS } from '@ondine/media/window'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { StreamSource } from '../../inventory/line-up/stream-source.ts'
import { viewerOf } from '../../rights/entitlements/entitlements.service.ts'
import { CONTENT_TYPE } from '../../streams/manifests/manifests.service.ts'
import type { ChannelAir } from '../../streams/on-air/on-air.service.ts'
import type { PlaybackSession, SessionReader } from '../../streams/play-sessions/play-sessions.service.ts'
import { asWholePlaylist, withinDepth } from '../../streams/relays/relay-depth.service.ts'
import { withinRelayHeight } from '../../streams/relays/relay-heights.service.ts'
import { RELAY_ENTRANCE, type Relayed, type Relays } from '../../streams/relays/relays.service.ts'
import { findPlayedChannel } from '../../television/channels/channels.service.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { admitToAnnounced, admitToChannel } from './playback.service.ts'

/**
 * How long the result of a check of the viewer's right is used, in milliseconds. The right must be checked
 * regularly here, because players of a relay request no licences.
 */
const BELIEVED_MS = 30_000
const MOST_BELIEVED = 10_000

interface Believed {
  until: number
  source: StreamSource
}

/** The channel of a session, with the maximum height of video for the session's viewer. */
interface AdmittedRelay {
  channelId: number
  source: StreamSource
  /** Maximum height of the video, in lines; undefined without a limit. */
  maximumHeight: number | undefined
}

interface RelayParts {
  sessions: SessionReader
  relays: Relays
  air: ChannelAir
  concurrencyLimit: ConcurrencyLimit
}

/**
 * Registers the addresses of a session on a relayed channel: its manifests, and the files that they refer to.
 *
 * @param app the scope of `/play`
 */
export function registerRelays(
  app: FastifyInstance,
  context: Pick<Context, 'db' | 'clock' | 'configurations'>,
  { sessions, relays, air, concurrencyLimit }: RelayParts,
): void {
  const { db, clock } = context
  const believed = new LRUCache<string, Believed>({ max: MOST_BELIEVED })

  app.get<{ Params: { token: string; file: string } }>(
    '/:token/relay/:file',
    async ({ params: { token, file } }, reply) => {
      const { channelId, source, maximumHeight } = await admitted(token)
      if (!Object.values(RELAY_ENTRANCE).includes(file)) throw new ServiceError('notFound')
      const relayed = await withinRelayHeight(await relays.entrance(channelId, token, source), maximumHeight)
      return await send(reply, await withinDepth(relayed, await depthOf(channelId), clock.now()))
    },
  )

  app.get<{ Params: { token: string; sealed: string } }>(
    '/:token/relay/:sealed/*',
    async ({ params: { token, sealed }, raw, headers: { range } }, reply) => {
      const { channelId, source, maximumHeight } = await admitted(token)
      // Use the raw URL, because a decoded URL could be a different address.
      const asked = raw.url ?? ''
      const leaf = asked.slice(asked.indexOf(`/${sealed}/`) + sealed.length + 2)
      const depth = await depthOf(channelId)
      const address = asWholePlaylist(leaf, depth)
      const relayed = await withinRelayHeight(
        await relays.inside(channelId, token, source, sealed, address, range),
        maximumHeight,
      )
      return await send(reply, await withinDepth(relayed, depth, clock.now()))
    },
  )

  /** Returns how far back manifests of a channel may reach, in seconds; infinity if the guide sets no limit. */
  async function depthOf(channelId: number): Promise<number> {
    const now = clock.now()
    const liveUntil = await air.liveUntil(channelId, now)
    if (liveUntil === 0) return Number.POSITIVE_INFINITY
    return Math.max(LIVE_WINDOW_SECONDS, (now - liveUntil) / 1000)
  }

  async function admitted(token: string): Promise<AdmittedRelay> {
    const now = clock.now()
    const session = sessions.require(token, now)
    const { content } = session
    if (content.kind !== 'channel' || content.window.kind !== 'live') throw new ServiceError('notFound')
    const { channelId, maximumHeight } = content
    const known = believed.get(session.id)
    if (known && known.until > now && known.until <= now + BELIEVED_MS)
      return { channelId, source: known.source, maximumHeight }
    const source = await sourceFor(session, channelId, now)
    await concurrencyLimit.require(session, now)
    believed.set(session.id, { until: now + BELIEVED_MS, source })
    return { channelId, source, maximumHeight }
  }

  async function sourceFor(
    { viewer: who }: PlaybackSession,
    channelId: number,
    now: number,
  ): Promise<StreamSource> {
    if (!who) throw new ServiceError('tokenInvalid')
    // The strictest limits. They apply only if the profile was deleted.
    const profile = { id: who.profileId, kid: true, maximumMoralityLevel: 1 }
    const caller = { account: { id: who.accountId }, profile }
    const viewer = { ...(await viewerOf(context, caller, now)), hasGivenCode: who.hasGivenCode === true }
    await admitToChannel(db, viewer, channelId, now)
    await admitToAnnounced(db, viewer, channelId, now)
    const played = await findPlayedChannel(db, channelId)
    if (played?.kind !== 'relay') throw new ServiceError('notFound')
    return played.source
  }
}

/** Headers of a provider that are passed on. Players need them, and they reveal nothing about the provider. */
const PASSED_ON = ['content-length', 'content-range', 'accept-ranges'] as const
/**
 * Content types that a browser treats as media and never runs. An answer of any other type is sent as
 * `application/octet-stream`.
 */
const MEDIA_TYPE = /^(video|audio|image)\/[\w.+-]+|^text\/vtt|^application\/(mp4|octet-stream|ttml\+xml)/i

async function send(reply: FastifyReply, relayed: Relayed): Promise<FastifyReply> {
  if (relayed.kind === 'manifest') return await reply.type(CONTENT_TYPE[relayed.format]).send(relayed.body)
  const { status, headers, body } = relayed.answer
  for (const name of PASSED_ON) {
    const value = headers[name]
    if (typeof value === 'string') reply.header(name, value)
  }
  const type = MEDIA_TYPE.exec(String(headers['content-type'] ?? ''))?.[0] ?? 'application/octet-stream'
  return await reply
    .code(status)
    .type(type)
    .send(Readable.from(body, { objectMode: false }))
}

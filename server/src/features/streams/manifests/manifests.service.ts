import { type DashOptions, dashManifest } from '@ondine/media/dash'
import { withRenditions } from '@ondine/media/download'
import { HLS_THUMBNAILS, type HlsOptions, hlsMedia, hlsMultivariant, hlsThumbnails } from '@ondine/media/hls'
import { interruptedTimeline } from '@ondine/media/interrupted-film'
import { psshBoxes, SYSTEM_IDS } from '@ondine/media/pssh'
import { filmTimeline, type Timeline, withinHeight } from '@ondine/media/timeline'
import { closedWindow, growingWindow, slidingWindow, type Window, wholeWindow } from '@ondine/media/window'
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../../http/errors.ts'
import type { BodyEncoding, PackedBody } from '../../../http/packed-body.ts'
import type { TrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import type { DrmProvider } from '../drm-providers/drm-provider.ts'
import { type ChannelAir, liveSeconds, recordedAir } from '../on-air/on-air.service.ts'
import type {
  ManifestFormat,
  PlaybackContent,
  PlaybackSession,
  SessionViewer,
} from '../play-sessions/play-sessions.service.ts'
import { createManifestCache, packedManifest } from './manifest-cache.ts'

/** Path of the media store. */
export const MEDIA_BASE = '/media/'

/** Path of the service's clock. */
export const TIME_PATH = '/time'

/** Name of the first manifest of each kind, below the address of its session. */
export const ENTRANCE: Record<ManifestFormat, string> = { dash: 'manifest.mpd', hls: 'main.m3u8' }

export const CONTENT_TYPE: Record<ManifestFormat, string> = {
  dash: 'application/dash+xml',
  hls: 'application/vnd.apple.mpegurl',
}

/**
 * HLS keys without a DRM provider. Their addresses are relative to the manifest, so they lead below the same
 * session.
 */
const HLS_KEYS: Record<'identity' | 'clearKey', NonNullable<HlsOptions['keys']>> = {
  identity: ({ trackSet: { encryption } }) =>
    encryption ? [{ uri: `key/${plainKeyId(encryption.keyId)}`, keyFormat: 'identity' }] : [],
  // The address only identifies the key. The player requests the licence by EME, at the `licenceUrl` of the call
  // that began the session.
  clearKey: ({ trackSet: { encryption } }) => {
    const keyId = encryption && plainKeyId(encryption.keyId)
    return keyId ? [{ uri: `key/${keyId}`, keyFormat: 'org.w3.clearkey', keyFormatVersions: '1', keyId }] : []
  },
}

/** Returns the HLS keys for Widevine and FairPlay, whose licences come from the DRM provider. */
function providerKeys(provider: Pick<DrmProvider, 'fairPlayUri'>): NonNullable<HlsOptions['keys']> {
  return ({ trackSet: { encryption } }) => {
    if (encryption === null) return []
    const keyId = plainKeyId(encryption.keyId)
    const pssh = Buffer.from(psshBoxes(keyId).widevine).toString('base64')
    return [
      {
        uri: `data:text/plain;base64,${pssh}`,
        keyFormat: `urn:uuid:${SYSTEM_IDS.widevine}`,
        keyFormatVersions: '1',
        keyId,
      },
      {
        uri: provider.fairPlayUri({ keyId }),
        keyFormat: 'com.apple.streamingkeydelivery',
        keyFormatVersions: '1',
      },
    ]
  }
}

/** Manifests with fewer characters are sent uncompressed, in one packet. */
const WORTH_PACKING = 1000

/** Maximum number of Timelines of films with advertising breaks in memory. */
const MOST_INTERRUPTED = 500

/** Manifest to send. */
interface Manifest {
  format: ManifestFormat
  contentType: string
  body: Buffer
  /** Content encoding of the manifest; undefined for none. */
  encoding: BodyEncoding | undefined
}

/** Absolute addresses in the DASH manifest of one viewer. */
export type DashAddresses = Pick<DashOptions, 'licenceUrl' | 'utcTimingUrl'>

/** Request for a manifest below a session. */
interface ManifestRequest {
  session: PlaybackSession
  file: string
  query: ManifestQuery
  /** Called only if the client wants absolute addresses in a DASH manifest. May throw. */
  addresses: () => DashAddresses
  /** Content encoding that the client accepts. */
  encoding: BodyEncoding | undefined
}

/** Puts advertisements into the breaks of live channels. `viewing/ads` implements it. */
export interface LiveBreaks {
  /** Returns the Timeline of a session; the same object as `channel` if the session has replaced nothing. */
  replace(
    session: { id: string; viewer: SessionViewer; channelId: number },
    channel: Timeline,
    now: number,
  ): Promise<Timeline>
}

/** Writes the manifests of sessions. A manifest is a pure function of the session's content and the clock. */
export interface Manifests {
  /** Returns undefined for an unknown name, and while there is no media to play. */
  write(request: ManifestRequest, now: number): Promise<Manifest | undefined>
}

/** @param provider if given, manifests signal Widevine and FairPlay; otherwise Clear Key */
export function createManifests(
  trackSets: TrackSetStore,
  air: ChannelAir,
  liveBreaks: LiveBreaks,
  provider: Pick<DrmProvider, 'fairPlayUri'> | undefined,
): Manifests {
  const ofProvider = provider && providerKeys(provider)
  const keySystems = provider ? (['widevine', 'fairPlay'] as const) : []

  /** Timelines that only one session plays. Their manifests are not cached. */
  const ofSession = new WeakSet<Timeline>()

  async function windowOf(
    session: PlaybackSession,
    now: number,
    renditions: ManifestQuery['renditions'],
  ): Promise<Window | null> {
    const { content } = session
    const allowed = (timeline: Timeline) =>
      content.maximumHeight === undefined ? timeline : withinHeight(timeline, content.maximumHeight)
    if (content.kind === 'asset' && content.breaks) {
      const timeline = await withBreaks(content, content.breaks)
      return timeline ? wholeWindow(allowed(timeline)) : null
    }
    if (content.kind === 'asset' || content.kind === 'trailer') {
      const trackSet = await trackSets.get(content.trackSetId)
      const whole = trackSet && allowed(filmTimeline(trackSet))
      if (!trackSet || !whole || !renditions) return whole ? wholeWindow(whole) : null
      const ids = whole.layout.slots.map(({ id }) => id).filter((id) => renditions.includes(id))
      const chosen = withRenditions(trackSet, ids)
      const hasMedia = chosen.renditions.some(({ kind }) => kind !== 'text')
      return hasMedia ? wholeWindow(filmTimeline(chosen)) : null
    }
    const { channelId, window } = content
    const played = content.kind === 'recording' ? recordedAir(air, content.copyId) : air
    const onAir = await played.at(channelId, window, now)
    if (!onAir) return null
    const timeline = allowed(onAir.timeline)
    if (window.kind === 'live') {
      const liveUntil = await air.liveUntil(channelId, now)
      const replaced = await withLiveAds(session, onAir.timeline, now)
      const shown = allowed(replaced)
      if (replaced !== onAir.timeline) ofSession.add(shown)
      return slidingWindow(shown, ofSession.has(shown) ? Math.min(now, endOf(onAir.timeline)) : now, {
        seconds: liveSeconds(window),
        since: window.since,
        liveUntil,
      })
    }
    if (window.kind === 'closed') return closedWindow(timeline, window.from, window.to)
    return growingWindow(timeline, window.from, now, window.to)
  }

  /**
   * Returns the Timeline of a live channel for a session: with the session's own advertisements, or unchanged if the
   * session gets none.
   */
  async function withLiveAds(
    { id, viewer, content }: PlaybackSession,
    channel: Timeline,
    now: number,
  ): Promise<Timeline> {
    if (content.kind !== 'channel' || content.hasAds !== true || viewer === null) return channel
    return await liveBreaks.replace({ id, viewer, channelId: content.channelId }, channel, now)
  }

  /** Timelines of films with breaks, by film and breaks. All playlists of a session share a Timeline. */
  const interrupted = new LRUCache<string, Timeline>({ max: MOST_INTERRUPTED })

  async function withBreaks(
    { trackSetId }: { trackSetId: string },
    breaks: NonNullable<Extract<PlaybackContent, { kind: 'asset' }>['breaks']>,
  ): Promise<Timeline | undefined> {
    const key = JSON.stringify([trackSetId, breaks])
    const known = interrupted.get(key)
    if (known) return known
    const sets = await trackSets.getAll([trackSetId, ...breaks.flatMap(({ trackSetIds }) => trackSetIds)])
    const film = sets.get(trackSetId)
    if (!film) return undefined
    const timeline = interruptedTimeline(
      film,
      breaks.map(({ before, trackSetIds }) => ({
        before,
        trackSets: trackSetIds.flatMap((id) => sets.get(id) ?? []),
      })),
    )
    interrupted.set(key, timeline)
    return timeline
  }

  const cache = createManifestCache()
  return {
    write: async ({ session, file, query, addresses, encoding }, now) => {
      const format = file === ENTRANCE.dash ? 'dash' : 'hls'
      const renditions = format === 'dash' ? query.renditions : undefined
      const window = await windowOf(session, now, renditions)
      if (!window) return undefined
      const contentType = CONTENT_TYPE[format]
      const startsAt = format === 'hls' ? startOf(session) : undefined
      const named = format === 'dash' && query.laurl ? addresses() : { utcTimingUrl: TIME_PATH }
      const write = () =>
        format === 'dash'
          ? writeDash(window, { ...named, keySystems })
          : writeHls(window, file, query, startsAt, ofProvider)
      // A manifest for a single viewer is not cached.
      const isOwn = (format === 'dash' && query.laurl) || renditions || ofSession.has(window.timeline)
      const manifest = isOwn
        ? packed(write())
        : cache.get(window, `${file} ${query.clearKey} ${startsAt}`, write)
      return manifest ? { format, contentType, ...(await pack(manifest, encoding)) } : undefined
    },
  }
}

function packed(text: string | null): PackedBody | undefined {
  return text === null ? undefined : packedManifest(text)
}

async function pack(
  manifest: PackedBody,
  accepted: BodyEncoding | undefined,
): Promise<Pick<Manifest, 'body' | 'encoding'>> {
  const encoding = manifest.body.length < WORTH_PACKING ? undefined : accepted
  return { body: await manifest.in(encoding), encoding }
}

/** Returns when the available media of a channel ends, in milliseconds since the Unix epoch. */
function endOf({ spans }: Timeline): number {
  return spans.at(-1)?.endsAt ?? 0
}

function writeDash(window: Window, options: Omit<DashOptions, 'mediaBase'>): string {
  return dashManifest(window, { mediaBase: MEDIA_BASE, ...options })
}

/**
 * Returns the time at which players of a session start, in milliseconds since the Unix epoch; undefined for the
 * default.
 */
function startOf({ content }: PlaybackSession): number | undefined {
  return content.kind === 'channel' && content.window.kind === 'live' ? content.window.startsAt : undefined
}

function writeHls(
  window: Window,
  file: string,
  query: ManifestQuery,
  startsAt: number | undefined,
  ofProvider: HlsOptions['keys'],
): string | null {
  const keys = ofProvider ?? HLS_KEYS[query.clearKey ? 'clearKey' : 'identity']
  const options = { mediaBase: MEDIA_BASE, keys, query: playlistQuery(query), startsAt }
  if (file === ENTRANCE.hls) return hlsMultivariant(window, options)
  if (file === HLS_THUMBNAILS) return hlsThumbnails(window, options)
  return file.endsWith('.m3u8') ? hlsMedia(window, file.slice(0, -'.m3u8'.length), options) : null
}

/** Normalises a key id for comparison: 32 hexadecimal digits in lower case. */
export function plainKeyId(keyId: string): string {
  return keyId.replaceAll('-', '').toLowerCase()
}

/** Options that a client requests by the query string of a manifest's address (docs/players.md). */
export interface ManifestQuery {
  /**
   * Whether the DASH manifest contains the address of the licence (spec 48). If so, all addresses in the manifest
   * are absolute.
   */
  laurl: boolean
  /**
   * Whether HLS playlists signal Clear Key for EME, as hls.js requires. Otherwise players fetch the keys
   * themselves.
   */
  clearKey: boolean
  /** Ids of the renditions in the DASH manifest of a title, for a download; undefined for all. */
  renditions?: readonly string[] | undefined
}

/** Ids of renditions, as in a TrackSet, separated by commas. */
const RENDITION_IDS = /^[a-z0-9-]{1,64}(?:,[a-z0-9-]{1,64}){0,9}$/

/**
 * Parses the query string of a manifest's address. Ignores unknown fields, because players add fields, such as
 * CMCD.
 *
 * @throws ServiceError invalidInput
 */
export function readManifestQuery(query: Readonly<Record<string, unknown>>): ManifestQuery {
  return {
    laurl: pick(query, 'laurl', '0', '1'),
    clearKey: pick(query, 'keyformat', 'identity', 'clearkey'),
    renditions: readRenditions(query.renditions),
  }
}

function readRenditions(value: unknown): string[] | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !RENDITION_IDS.test(value)) {
    throw new ServiceError('invalidInput', {
      fields: [{ field: 'renditions', message: 'must be ids of renditions, separated by commas' }],
    })
  }
  return value.split(',')
}

/**
 * Returns the query string for links from one playlist to another. It repeats the client's options, so that the
 * client sends them only with the first playlist.
 */
function playlistQuery({ clearKey }: ManifestQuery): string {
  return clearKey ? '?keyformat=clearkey' : ''
}

function pick(query: Readonly<Record<string, unknown>>, name: string, usual: string, other: string): boolean {
  const value = query[name] ?? usual
  if (value !== usual && value !== other) {
    throw new ServiceError('invalidInput', {
      fields: [{ field: name, message: `must be "${usual}" or "${other}"` }],
    })
  }
  return value === other
}

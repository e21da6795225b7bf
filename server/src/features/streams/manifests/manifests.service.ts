import { type DashOptions, dashManifest } from '@ondine/media/dash'
import { withRenditions } from '@ondine/media/download'
import { HLS_THUMBNAILS, type HlsOptions, hlsMedia, hlsMultivariant, hlsThumbnails } from '@ondine/media/hls'
import { interruptedTimeline } from '@ondine/media/interrupted-film'
import { psshBoxes, SYSTEM_IDS } from '@ondine/media/pssh'
import { filmTimeline, type Timeline } from '@ondine/media/timeline'
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

/** Addresses of keys. They are relative, so a player resolves them to addresses below the session of the manifest. */
const HLS_KEYS: Record<'identity' | 'clearKey', NonNullable<HlsOptions['keys']>> = {
  identity: ({ trackSet: { encryption } }) =>
    encryption ? [{ uri: `key/${plainKeyId(encryption.keyId)}`, keyFormat: 'identity' }] : [],
  // The address only identifies the key. The player requests the licence by EME, at the `licenceUrl` of the answer
  // that began the session.
  clearKey: ({ trackSet: { encryption } }) => {
    const keyId = encryption && plainKeyId(encryption.keyId)
    return keyId ? [{ uri: `key/${keyId}`, keyFormat: 'org.w3.clearkey', keyFormatVersions: '1', keyId }] : []
  },
}

/** Returns the keys in HLS playlists for Widevine and FairPlay. The provider's licences have them. */
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

/** Maximum number of Timelines of films with breaks in memory. */
const MOST_INTERRUPTED = 500

/** Manifest to send. */
export interface Manifest {
  format: ManifestFormat
  contentType: string
  body: Buffer
  /** Content encoding of the manifest; undefined for none. */
  encoding: BodyEncoding | undefined
}

/** Absolute addresses in the DASH manifest of one viewer. */
export type DashAddresses = Pick<DashOptions, 'licenceUrl' | 'utcTimingUrl'>

/** Request for a manifest below a session. */
export interface ManifestRequest {
  session: PlaybackSession
  file: string
  query: ManifestQuery
  /** Called only if the client wants absolute addresses in a DASH manifest. May throw. */
  addresses: () => DashAddresses
  /** Content encoding that the client accepts. */
  encoding: BodyEncoding | undefined
}

/** Writes the manifests of sessions. A manifest is a pure function of the content that plays and the clock. */
export interface Manifests {
  /** Undefined if there is no manifest of this name, or nothing to play yet. */
  write(request: ManifestRequest, now: number): Promise<Manifest | undefined>
}

/** @param provider names Widevine and FairPlay in the manifests; with `undefined` they name Clear Key */
export function createManifests(
  trackSets: TrackSetStore,
  air: ChannelAir,
  provider: Pick<DrmProvider, 'fairPlayUri'> | undefined,
): Manifests {
  const ofProvider = provider && providerKeys(provider)
  const keySystems = provider ? (['widevine', 'fairPlay'] as const) : []

  async function windowOf(
    { content }: PlaybackSession,
    now: number,
    renditions: ManifestQuery['renditions'],
  ): Promise<Window | null> {
    if (content.kind === 'asset' && content.breaks) {
      const timeline = await withBreaks(content, content.breaks)
      return timeline ? wholeWindow(timeline) : null
    }
    if (content.kind === 'asset' || content.kind === 'trailer') {
      const whole = await trackSets.get(content.trackSetId)
      const trackSet = whole && renditions ? withRenditions(whole, renditions) : whole
      const hasMedia = trackSet?.renditions.some(({ kind }) => kind !== 'text')
      return trackSet && hasMedia ? wholeWindow(filmTimeline(trackSet)) : null
    }
    const { channelId, window } = content
    const played = content.kind === 'recording' ? recordedAir(air, content.copyId) : air
    const onAir = await played.at(channelId, window, now)
    if (!onAir) return null
    if (window.kind === 'live') {
      const liveUntil = await air.liveUntil(channelId, now)
      return slidingWindow(onAir.timeline, now, {
        seconds: liveSeconds(window),
        since: window.since,
        liveUntil,
      })
    }
    if (window.kind === 'closed') return closedWindow(onAir.timeline, window.from, window.to)
    return growingWindow(onAir.timeline, window.from, now, window.to)
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
      // The manifest of one viewer is not cached.
      if (format === 'dash' && (query.laurl || renditions)) {
        const named = query.laurl ? addresses() : { utcTimingUrl: TIME_PATH }
        const own = packedManifest(writeDash(window, { ...named, keySystems }))
        return { format, contentType, ...(await pack(own, encoding)) }
      }
      const startsAt = format === 'hls' ? startOf(session) : undefined
      const kept = cache.get(window, `${file} ${query.clearKey} ${startsAt}`, () =>
        format === 'dash'
          ? writeDash(window, { utcTimingUrl: TIME_PATH, keySystems })
          : writeHls(window, file, query, startsAt, ofProvider),
      )
      return kept && { format, contentType, ...(await pack(kept, encoding)) }
    },
  }
}

async function pack(
  manifest: PackedBody,
  accepted: BodyEncoding | undefined,
): Promise<Pick<Manifest, 'body' | 'encoding'>> {
  const encoding = manifest.body.length < WORTH_PACKING ? undefined : accepted
  return { body: await manifest.in(encoding), encoding }
}

function writeDash(window: Window, options: Omit<DashOptions, 'mediaBase'>): string {
  return dashManifest(window, { mediaBase: MEDIA_BASE, ...options })
}

/**
 * Returns the time at which players of a session start, in milliseconds since the Unix epoch; undefined if the
 * session names none.
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

/** Options that a client requests by the query of its manifests (docs/players.md). */
export interface ManifestQuery {
  /**
   * Whether the DASH manifest names the address of the licence (spec 48). If so, all addresses in the
   * manifest are absolute.
   */
  laurl: boolean
  /**
   * Whether HLS playlists signal Clear Key by EME, as hls.js requires, instead of keys that a player fetches
   * itself.
   */
  clearKey: boolean
  /** The renditions in the DASH manifest of a title, by id, for a download; all if undefined. */
  renditions?: readonly string[] | undefined
}

/** Ids of renditions, as in a TrackSet, separated by commas. */
const RENDITION_IDS = /^[a-z0-9-]{1,64}(?:,[a-z0-9-]{1,64}){0,9}$/

/**
 * Parses the query of a manifest. Ignores unknown names, because players add their own, such as CMCD.
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

/** Returns the query for the links between playlists, so that a client has to request an option only once. */
export function playlistQuery({ clearKey }: ManifestQuery): string {
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

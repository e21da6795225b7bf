import { dashManifest } from '@ondine/media/dash'
import { HLS_THUMBNAILS, hlsMedia, hlsMultivariant, hlsThumbnails } from '@ondine/media/hls'
import { filmTimeline } from '@ondine/media/timeline'
import { closedWindow, growingWindow, slidingWindow, type Window, wholeWindow } from '@ondine/media/window'
import type { PageEncoding } from '../../http/page-encoding.ts'
import { type ChannelAir, liveSeconds } from '../channels/channel-air.ts'
import type { ManifestBody } from './kept-manifest.ts'
import { plainKeyId } from './licence.ts'
import { createManifestCache } from './manifest-cache.ts'
import type { ManifestFormat, PlaybackSession } from './sessions.ts'
import type { TrackSetStore } from './track-sets.service.ts'

/** Where the media store is served. */
export const MEDIA_BASE = '/media/'

/** Where each kind of manifest begins below its session. */
export const ENTRANCE: Record<ManifestFormat, string> = { dash: 'manifest.mpd', hls: 'main.m3u8' }

export const CONTENT_TYPE: Record<ManifestFormat, string> = {
  dash: 'application/dash+xml',
  hls: 'application/vnd.apple.mpegurl',
}

/** Keys go to the player as they are; the address is relative and so inherits the session. */
const HLS_OPTIONS: Parameters<typeof hlsMedia>[2] = {
  mediaBase: MEDIA_BASE,
  keys: ({ trackSet: { encryption } }) =>
    encryption ? [{ uri: `key/${plainKeyId(encryption.keyId)}`, keyFormat: 'identity' }] : [],
}

/** A manifest on its way out. */
export interface Manifest extends ManifestBody {
  format: ManifestFormat
  contentType: string
}

/** Writes the manifests of sessions: pure functions of what plays and the clock. */
export interface Manifests {
  /**
   * The manifest of this name; undefined when there is none, or nothing to play yet.
   *
   * @param encoding how its viewer takes it packed
   */
  write(
    session: PlaybackSession,
    token: string,
    file: string,
    now: number,
    encoding: PageEncoding | undefined,
  ): Promise<Manifest | undefined>
}

export function createManifests(trackSets: TrackSetStore, air: ChannelAir): Manifests {
  async function windowOf({ content }: PlaybackSession, now: number): Promise<Window | null> {
    if (content.kind !== 'channel') {
      const trackSet = await trackSets.get(content.trackSetId)
      return trackSet ? wholeWindow(filmTimeline(trackSet)) : null
    }
    const { channelId, window } = content
    const onAir = await air.at(channelId, window, now)
    if (!onAir) return null
    if (window.kind === 'live')
      return slidingWindow(onAir.timeline, now, { seconds: liveSeconds(window), since: window.since })
    if (window.kind === 'closed') return closedWindow(onAir.timeline, window.from, window.to)
    return growingWindow(onAir.timeline, window.from, now, window.to)
  }

  const cache = createManifestCache()
  return {
    write: async (session, token, file, now, encoding) => {
      const window = await windowOf(session, now)
      if (!window) return undefined
      const format = file === ENTRANCE.dash ? 'dash' : 'hls'
      const kept = cache.get(window, file, (licenceUrl) =>
        format === 'dash' ? writeDash(window, licenceUrl) : writeHls(window, file),
      )
      if (!kept) return undefined
      // Players take this address against the page instead of the manifest, so that it has to be whole.
      const body = await kept.bodyFor(`/play/${token}/licence`, encoding)
      return { format, contentType: CONTENT_TYPE[format], ...body }
    },
  }
}

function writeDash(window: Window, licenceUrl: string): string {
  return dashManifest(window, { mediaBase: MEDIA_BASE, utcTimingUrl: '/time', licenceUrl })
}

function writeHls(window: Window, file: string): string | null {
  if (file === ENTRANCE.hls) return hlsMultivariant(window)
  if (file === HLS_THUMBNAILS) return hlsThumbnails(window, HLS_OPTIONS)
  return file.endsWith('.m3u8') ? hlsMedia(window, file.slice(0, -'.m3u8'.length), HLS_OPTIONS) : null
}

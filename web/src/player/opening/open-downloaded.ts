import { OFFLINE_PAGE, offlineManifest } from '../../features/content/downloads/offline-address.ts'
import {
  openDownload,
  type PlayableDownload,
  UnplayableDownload,
} from '../../features/content/downloads/open-download.ts'
import type { PlayerTarget } from '../content/playable.ts'
import { NO_SEGMENTS } from '../content/segments.ts'
import { EngineError } from '../engine/player-error.ts'
import { loadShaka, type ShakaLibrary } from '../engine/shaka.ts'
import type { Opening } from './opening.ts'

/** Scheme of the addresses at which the player asks for the keys of downloads. */
const SCHEME = 'download-keys'

/**
 * Opens a download of this device, without any call (V2.1-16), unless the title needs the parental code.
 *
 * @throws EngineError of kind `download` if the download may not be played any more, or is not on this device; of kind
 * `download-code` without the parental code
 */
export async function openDownloaded(target: Extract<PlayerTarget, { kind: 'asset' }>): Promise<Opening> {
  const [{ download, clearKey }, shaka] = await Promise.all([opened(target.id), loadShaka()])
  if (clearKey !== null) answerWith(shaka, clearKey)
  const { key, assetId, title, subtitle, languages } = download
  return {
    kind: 'opened',
    opened: {
      streamUrl: offlineManifest(key),
      licenseData: clearKey && { keySystem: 'org.w3.clearkey', licenceUrl: `${SCHEME}:${key}` },
      assetStartTime: target.start ?? null,
      segments: NO_SEGMENTS,
      selectedMedia: { audio: languages.audio, sub: languages.subtitle },
      session: null,
      isTrailer: false,
      related: [],
      nextAsset: null,
      playable: {
        kind: 'asset',
        id: assetId,
        title,
        description: subtitle,
        backgroundImage: null,
        // The page of the title needs a connection.
        detailRoute: OFFLINE_PAGE,
        live: false,
        isSerie: false,
        serieId: -1,
        seriesRoute: null,
        metadatas: {},
        isIncludedInUserOffers: true,
        medias: [],
        timeshift: true,
        startOver: false,
        endsAt: null,
      },
    },
  }
}

/**
 * Answers the player's requests for the keys of a download, in place of a licence server. Shaka's own setting,
 * `clearKeys`, needs a plugin for `data:` addresses, which the build for DASH does not have.
 */
function answerWith({ net, util }: ShakaLibrary, licence: NonNullable<PlayableDownload['clearKey']>): void {
  const data = new TextEncoder().encode(JSON.stringify(licence))
  net.NetworkingEngine.registerScheme(SCHEME, (uri, originalRequest) =>
    util.AbortableOperation.completed({ uri, originalUri: uri, originalRequest, data, headers: {} }),
  )
}

async function opened(id: number): Promise<PlayableDownload> {
  try {
    return await openDownload(id)
  } catch (error) {
    if (!(error instanceof UnplayableDownload)) throw error
    const kind = error.reason === 'code' ? 'download-code' : 'download'
    throw new EngineError(kind, error.reason, error)
  }
}

import { resumePosition } from '../../features/content/catalogue/playing.ts'
import { downloadFiles } from '../../features/content/downloads/chosen-files.ts'
import { nextEpisode } from '../../features/content/downloads/download.ts'
import type { DownloadFiles } from '../../features/content/downloads/download-files.ts'
import { positionKeeper, watchedOf } from '../../features/content/downloads/kept-position.ts'
import { OFFLINE_PAGE, offlineManifest } from '../../features/content/downloads/offline-address.ts'
import {
  openDownload,
  type PlayableDownload,
  UnplayableDownload,
} from '../../features/content/downloads/open-download.ts'
import { listDownloads } from '../../features/content/downloads/store.ts'
import { deviceNow } from '../../features/ground/clock/device-clock.ts'
import { reportFault } from '../../features/ground/errors/report-fault.ts'
import type { NextAsset, PlayerTarget } from '../content/playable.ts'
import { playerPath } from '../content/player-target.ts'
import { groupTags, NO_SEGMENTS } from '../content/segments.ts'
import { EngineError } from '../engine/player-error.ts'
import { loadShaka, type ShakaLibrary } from '../engine/shaka.ts'
import type { Opening } from './opening.ts'

/** URL scheme of requests for the keys of downloads. */
const KEYS_SCHEME = 'download-keys'

/**
 * URL scheme and origin of requests for files that the page cannot fetch: those of the native app, and in a browser, all
 * files while no service worker controls the page.
 */
const FILES_SCHEME = 'download-files'
const FILES_ORIGIN = `${FILES_SCHEME}://device`

/**
 * Opens a download of this device (V2.1-16), where the viewer stopped watching. Sends no call, unless the
 * title needs the parental code.
 *
 * @throws EngineError of kind `download` if the download has expired or is not on this device; of kind
 * `download-code` without the parental code
 */
export async function openDownloaded(target: Extract<PlayerTarget, { kind: 'asset' }>): Promise<Opening> {
  const [{ download, clearKey }, shaka] = await Promise.all([opened(target.id), loadShaka()])
  const next = nextEpisode(await listDownloads(), download, deviceNow() / 1000)
  if (clearKey !== null) answerWith(shaka, clearKey)
  const { key, accountId, accountName, assetId, title, subtitle, languages, kept, tags } = download
  const licenceUrl = `${KEYS_SCHEME}:${key}`
  const keepPosition = positionKeeper(key)
  return {
    kind: 'opened',
    opened: {
      streamUrl: playableFrom(shaka, downloadFiles(), offlineManifest(key)),
      licenseData: kept
        ? { keySystem: kept.keySystem, licenceUrl, robustness: kept.robustness, kept }
        : clearKey && { keySystem: 'org.w3.clearkey', licenceUrl },
      assetStartTime: target.start ?? (resumePosition(watchedOf(download)) || null),
      segments: tags === undefined ? NO_SEGMENTS : groupTags(tags),
      selectedMedia: { audio: languages.audio, sub: languages.subtitle },
      session: null,
      holder: { id: accountId, firstName: '', lastName: '', ...accountName },
      keepPosition: (position, isLeaving) => {
        // A device that cannot store the position still plays the film.
        keepPosition(position, isLeaving).catch(reportFault)
      },
      isTrailer: false,
      related: [],
      nextAsset: next === undefined ? null : nextAsset(next),
      playable: {
        kind: 'asset',
        id: assetId,
        title,
        description: subtitle,
        backgroundImage: null,
        // The page of the title needs a connection, so closing the player leads to the offline page.
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
        recordable: false,
        endsAt: null,
      },
    },
  }
}

function nextAsset({
  assetId: id,
  title,
  episode: { season, number, last },
}: NonNullable<ReturnType<typeof nextEpisode>>): NextAsset {
  return {
    target: { kind: 'asset', id, offline: true },
    title,
    // The page of the title needs a connection, so the link of the picture plays the download.
    detailRoute: playerPath('asset', id, { offline: true }),
    directMetadata: {
      AD_SERIESEA: season,
      AD_SERIESEP: number,
      ...(last !== undefined && { AD_SERIESEPEND: last }),
    },
    thumbnailImage: null,
    backgroundImage: null,
    posterImage: null,
    isBlurred: false,
    rentalPrice: null,
    isIncludedInUserOffers: true,
  }
}

/**
 * Answers the player's requests for the keys of a download, in place of a licence server. Shaka's setting
 * `clearKeys` cannot be used, because it needs a plugin for `data:` URLs, which the DASH-only build does not have.
 */
function answerWith({ net, util }: ShakaLibrary, licence: NonNullable<PlayableDownload['clearKey']>): void {
  const data = new TextEncoder().encode(JSON.stringify(licence))
  net.NetworkingEngine.registerScheme(KEYS_SCHEME, (uri, originalRequest) =>
    util.AbortableOperation.completed({ uri, originalUri: uri, originalRequest, data, headers: {} }),
  )
}

/**
 * Returns the URL from which the player plays a manifest. If a page cannot fetch the files, the player reads them
 * by a custom URL scheme. The manifest contains paths relative to the root, so its files get the same scheme.
 */
function playableFrom({ net, util }: ShakaLibrary, { read }: DownloadFiles, manifest: string): string {
  if (read === undefined) return manifest
  const { RECOVERABLE } = util.Error.Severity
  net.NetworkingEngine.registerScheme(FILES_SCHEME, (uri, originalRequest) => {
    const answer = async () => {
      const data = await read(uri.slice(FILES_ORIGIN.length))
      if (data !== undefined) return { uri, originalUri: uri, originalRequest, data, headers: {} }
      throw new util.Error(RECOVERABLE, util.Error.Category.NETWORK, util.Error.Code.HTTP_ERROR, uri)
    }
    return util.AbortableOperation.notAbortable(answer())
  })
  return FILES_ORIGIN + manifest
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

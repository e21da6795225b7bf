import { downloadLicence, type LicenceSource } from '@ondine/contract/downloads'
import type { Asset } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import { call } from '../../../api/call.ts'
import { serviceNow } from '../../ground/clock/browser-clock.ts'
import { deviceNow } from '../../ground/clock/device-clock.ts'
import { askAsset } from './ask-asset.ts'
import { bytesLeft } from './bytes-left.ts'
import { chooseQuality } from './choose-quality.ts'
import {
  bytesQueued,
  checkedAt,
  type Download,
  filesOf,
  type LicenceTimes,
  offlineManifestText,
} from './download.ts'
import { NoRoomError } from './failure.ts'
import { offlineManifest, offlineMedia, offlinePicture } from './offline-address.ts'
import { requireComplete, requireKept } from './prepare.ts'
import { requireWorker } from './require-worker.ts'
import { deviceKey, listDownloads } from './store.ts'
import { fetchFile, missingFiles, openFiles } from './stored-files.ts'
import { pointOf, toBase64url } from './unseal.ts'

/** Height of a download's picture, in px. */
const PICTURE_HEIGHT = 360

/** A download that a viewer requests. */
export interface WantedDownload {
  asset: Asset
  subtitle: string
  accountId: number
  profileId: number
  languages: { audio: string; subtitle: string }
  /** Maximum height of the video, in lines. If omitted, the viewer is asked. */
  height?: number | undefined
  /** Language of the page. The viewer is asked in this language. */
  language: Language
}

/**
 * Prepares a download: stores its manifest and picture, and gets its keys. The media is fetched later. Returns null if
 * the viewer chose no quality.
 */
export async function prepareDownload(
  key: string,
  wanted: WantedDownload,
  parentalProof: string | undefined,
): Promise<Download | null> {
  const { asset, subtitle, accountId, profileId, languages } = wanted
  const quality =
    wanted.height === undefined ? await askQuality(wanted, parentalProof) : { height: wanted.height }
  if (quality === null) return null
  // Without this, the browser may remove downloads when the disk is nearly full.
  await navigator.storage.persist()
  const image = asset.thumbnailImage ?? asset.backgroundImage ?? asset.posterImage
  const picture = image && (await fetch(`${image.url}/${PICTURE_HEIGHT}`))
  if (picture?.ok === true) await (await openFiles()).put(offlinePicture(key), picture)
  const files = await askFiles(key, { assetId: asset.idAsset, languages, ...quality }, parentalProof)
  return {
    key,
    accountId,
    profileId,
    assetId: asset.idAsset,
    state: 'QUEUED',
    downloadProgress: { percentDownloaded: 0 },
    failure: null,
    title: asset.title,
    subtitle,
    durationSeconds: asset.durationInSeconds,
    addedAt: Math.floor(serviceNow() / 1000),
    ...files,
  }
}

/** Asks the viewer for the quality, see {@link chooseQuality}. */
async function askQuality(
  { asset, languages, language }: WantedDownload,
  parentalProof: string | undefined,
): ReturnType<typeof chooseQuality> {
  const wanted = { assetId: asset.idAsset, languages, height: undefined }
  const { qualities } = await askAsset(wanted, parentalProof)
  return await chooseQuality({ title: asset.title, image: asset.backgroundImage }, qualities, language)
}

/** Asks for the files and the licence of a download, and stores its manifest. Needs the service worker. */
export async function askFiles(
  key: string,
  { assetId, languages, height }: Pick<Download, 'assetId' | 'languages' | 'height'>,
  parentalProof: string | undefined,
): Promise<Pick<Download, 'bytes' | 'height' | 'folders' | 'languages' | 'licence' | 'times'>> {
  await requireWorker()
  const answer = await askAsset({ assetId, languages, height }, parentalProof)
  requireComplete(answer, false)
  if (answer.licence) await requireKeys(answer.licence)
  const manifest = await (await fetchFile(answer.url)).text()
  requireComplete(answer, manifest.includes('<ContentProtection'))
  const cache = await openFiles()
  await requireRoom(cache, key, answer)
  const text = offlineManifestText(manifest, offlineMedia)
  const headers = { 'content-type': 'application/dash+xml' }
  await cache.put(offlineManifest(key), new Response(text, { headers }))
  // A rental begins with its licence, so whatever may fail on the device comes first.
  const licence = answer.licence && (await askLicence(answer.licence.token, parentalProof))
  return {
    bytes: answer.bytes,
    height,
    folders: answer.folders,
    languages: answer.languages,
    licence: licence?.sealed ?? null,
    times: timesOf(licence),
  }
}

/** @throws DownloadSetupError */
async function requireKeys({ keySystem, certificateUrl }: LicenceSource): Promise<void> {
  const certificate =
    certificateUrl === undefined ? null : await (await fetchFile(certificateUrl)).arrayBuffer()
  requireKept(keySystem, certificate)
}

async function askLicence(token: string, parentalProof: string | undefined) {
  const device = await deviceKey()
  const publicKey = toBase64url(await pointOf(device))
  return await call(downloadLicence, { token, deviceKey: publicKey, parentalProof })
}

/** Returns the times of a new licence. Clear media has none, and does not expire. */
function timesOf(licence: { expiresAt: number; playSeconds: number } | null): LicenceTimes {
  const times = {
    expiresAt: licence?.expiresAt ?? Number.MAX_SAFE_INTEGER,
    playSeconds: licence?.playSeconds ?? Number.MAX_SAFE_INTEGER,
    firstPlayedAt: null,
    latestAt: 0,
    aheadSeconds: 0,
  }
  return checkedAt(times, serviceNow() / 1000, deviceNow() / 1000)
}

/**
 * @throws NoRoomError if the missing files, and the rest of the queue, need more space than the browser reports. Some
 * browsers report none.
 */
async function requireRoom(
  cache: Cache,
  key: string,
  { bytes, folders }: Pick<Download, 'bytes' | 'folders'>,
): Promise<void> {
  const files = filesOf(folders)
  const missing = await missingFiles(cache, files)
  const left = await bytesLeft()
  const needed = (bytes * missing.length) / files.length + bytesQueued(await listDownloads(), key)
  if (left !== undefined && left < needed) throw new NoRoomError()
}

import { contentData } from '@ondine/contract/catalogue'
import { type DownloadFolder, downloadLicence, type LicenceSource } from '@ondine/contract/downloads'
import type { Asset } from '@ondine/contract/entities'
import { fittingHeight } from '@ondine/contract/images'
import type { Language } from '@ondine/contract/languages'
import type { InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import { listAssetTags } from '@ondine/contract/playback'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import type { DownloadChoice } from '../../../modals/modal-kinds.ts'
import { confirmedNow, serviceNow } from '../../ground/clock/browser-clock.ts'
import { deviceNow } from '../../ground/clock/device-clock.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { askAsset } from './ask-asset.ts'
import { chooseDownload } from './choose-download.ts'
import { downloadFiles } from './chosen-files.ts'
import {
  type AccountHolder,
  bytesQueued,
  checkedAt,
  type Download,
  episodeOf,
  filesOf,
  haveSameFolders,
  type KeptLicence,
  type LicenceTimes,
  offlineManifestText,
  ownFolders,
} from './download.ts'
import { isFaultOfFile, NoRoomError } from './failure.ts'
import { base64Of, bytesOf, keepLicence, type WantedLicence, wantedLicence } from './kept-licence.ts'
import { offlineManifest, offlineMedia, offlinePicture } from './offline-address.ts'
import { DownloadSetupError, requireComplete } from './prepare.ts'
import { deviceKey, listDownloads } from './store.ts'
import { deleteMedia, fetchFile, missingFiles } from './stored-files.ts'
import { pointOf, toBase64url } from './unseal.ts'

/** Height of a download's picture, in px. */
const PICTURE_HEIGHT = 360

/** A download that a viewer requests. */
export interface WantedDownload {
  asset: Asset
  subtitle: string
  account: AccountHolder
  profileId: number
  /** The languages that are preselected when the viewer is asked. */
  languages: DownloadChoice['languages']
  /** Quality and languages. If omitted, the viewer is asked. */
  choice?: DownloadChoice | undefined
  /** Language of the page and of the question to the viewer. */
  language: Language
  /** The configured heights of pictures, in px (V3-50). */
  imageHeights: readonly number[]
}

/** Prepares a download: stores its manifest and picture, and requests its licence. The media is fetched later. */
export async function prepareDownload(
  key: string,
  { asset, subtitle, account, profileId, imageHeights }: WantedDownload,
  choice: DownloadChoice,
  parentalProof: string | undefined,
): Promise<Download> {
  // Not awaited: a browser can ask the viewer for permission, and the viewer possibly never answers. The download
  // works without permission.
  downloadFiles().protect().catch(reportFault)
  const image = asset.isBlurred ? null : (asset.thumbnailImage ?? asset.backgroundImage ?? asset.posterImage)
  const picture = image && (await fetchPicture(`${image.url}/${fittingHeight(PICTURE_HEIGHT, imageHeights)}`))
  if (picture) await downloadFiles().put(offlinePicture(key), picture)
  const nextAssetId = await nextAssetIdOf(asset)
  const files = await askFiles(key, { assetId: asset.idAsset, ...choice }, parentalProof)
  return {
    key,
    accountId: account.id,
    accountName: { firstName: account.firstName, lastName: account.lastName },
    profileId,
    assetId: asset.idAsset,
    state: 'QUEUED',
    downloadProgress: { percentDownloaded: 0 },
    failure: null,
    title: asset.title,
    subtitle,
    durationSeconds: asset.durationInSeconds,
    position: asset.seekTime > 0 ? asset.seekTime : undefined,
    episode: episodeOf(asset),
    nextAssetId,
    addedAt: Math.floor(serviceNow() / 1000),
    ...files,
  }
}

/**
 * Fetches the picture of a download. Returns undefined if the service does not deliver it: a download works without a
 * picture.
 */
async function fetchPicture(address: string): Promise<Response | undefined> {
  try {
    return await fetchFile(address)
  } catch (error) {
    if (!isFaultOfFile(error)) throw error
    return undefined
  }
}

/**
 * Returns the asset of the next episode; null after the last one. Undefined if the asset is no episode, or if the
 * service does not answer: a download works without the next episode.
 */
async function nextAssetIdOf(asset: Asset): Promise<number | null | undefined> {
  if (episodeOf(asset) === undefined) return undefined
  const answer = await callOrOmit(contentData, { idAsset: asset.idAsset })
  return answer && (answer.next?.idAsset ?? null)
}

/** Returns the service's answer; undefined if the service does not answer or refuses. */
async function callOrOmit<O extends Operation>(
  operation: O,
  input: InputOf<O>,
): Promise<OutputOf<O> | undefined> {
  try {
    return await call(operation, input)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return undefined
  }
}

/** Asks the viewer for the quality and the languages (see {@link chooseDownload}). */
export async function askChoice(
  { asset, languages, language }: WantedDownload,
  parentalProof: string | undefined,
): Promise<DownloadChoice | null> {
  const wanted = { assetId: asset.idAsset, languages, height: undefined }
  const choices = await askAsset(wanted, parentalProof)
  return await chooseDownload(
    { title: asset.title, image: asset.backgroundImage },
    choices,
    languages,
    language,
  )
}

/**
 * Requests the file list, the tags and the licence of a download, and stores its manifest.
 *
 * @param renewed the download on this device whose licence is renewed. If the media of its title was replaced, its
 * files can no longer be played, and are deleted as soon as the new licence is issued. So the space of these files
 * counts as free
 */
export async function askFiles(
  key: string,
  { assetId, languages, height }: Pick<Download, 'assetId' | 'languages' | 'height'>,
  parentalProof: string | undefined,
  renewed?: Download,
): Promise<
  Pick<Download, 'bytes' | 'height' | 'folders' | 'languages' | 'tags' | 'licence' | 'kept' | 'times'>
> {
  await downloadFiles().requireReady()
  const answer = await askAsset({ assetId, languages, height }, parentalProof)
  requireComplete(answer, false)
  const manifest = await (await fetchFile(answer.url)).text()
  requireComplete(answer, manifest.includes('<ContentProtection'))
  const media = { manifest, initSegment: initSegmentOf(answer) }
  const wanted = answer.licence && (await wantedLicence(answer.licence, media, fetchBytes))
  const isReplaced = renewed !== undefined && !haveSameFolders(renewed, answer)
  const replaced = isReplaced ? await replacedFolders(renewed, answer) : []
  await requireRoom(key, answer, isReplaced ? await bytesIn(replaced, renewed) : 0)
  // Until the licence is issued, the stored manifest must fit the stored files.
  if (!isReplaced) await storeManifest(key, manifest)
  const tags = (await callOrOmit(listAssetTags, { idAsset: assetId })) ?? renewed?.tags
  const now = await confirmedNow()
  const device = deviceNow()
  // The licence is requested last: it starts the period of a rental, and the earlier steps may fail on the device.
  const licence = answer.licence && (await askLicence(answer.licence, wanted, parentalProof))
  if (isReplaced) {
    await deleteMedia(replaced)
    await storeManifest(key, manifest)
  }
  return {
    bytes: answer.bytes,
    height,
    folders: answer.folders,
    languages: answer.languages,
    tags,
    licence: licence?.sealed ?? null,
    kept: licence?.kept,
    times: timesOf(licence, now, device),
  }
}

async function storeManifest(key: string, manifest: string): Promise<void> {
  const text = offlineManifestText(manifest, offlineMedia)
  const headers = { 'content-type': 'application/dash+xml' }
  await downloadFiles().put(offlineManifest(key), new Response(text, { headers }))
}

/** Returns the folders of a download that neither its renewal nor another download needs. */
async function replacedFolders(
  renewed: Download,
  { folders }: Pick<Download, 'folders'>,
): Promise<DownloadFolder[]> {
  const kept = new Set(folders.map(({ address }) => address))
  return ownFolders(renewed, await listDownloads()).filter(({ address }) => !kept.has(address))
}

/** Returns how many bytes the stored files in some folders of a download have. The files count as equally large. */
async function bytesIn(folders: readonly DownloadFolder[], download: Download): Promise<number> {
  const files = filesOf(folders)
  const stored = files.length - (await missingFiles(files)).length
  return (download.bytes * stored) / filesOf(download.folders).length
}

async function fetchBytes(address: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetchFile(address)).arrayBuffer())
}

/** Returns the address of the initialisation segment of the video, whose folder is the first one. */
function initSegmentOf({ folders }: Pick<Download, 'folders'>): string {
  return `${folders[0]?.address ?? ''}init.mp4`
}

/**
 * The service's answer with a licence. `kept` is the licence in the decryption module, if a DRM provider issued
 * it.
 */
interface IssuedLicence
  extends Pick<OutputOf<typeof downloadLicence>, 'sealed' | 'expiresAt' | 'playSeconds'> {
  kept?: KeptLicence
}

/** @param wanted the data for the request of the decryption module; null if the service itself issues the keys */
async function askLicence(
  { token }: LicenceSource,
  wanted: WantedLicence | null,
  parentalProof: string | undefined,
): Promise<IssuedLicence> {
  const publicKey = toBase64url(await pointOf(await deviceKey()))
  const input = { token, deviceKey: publicKey, parentalProof }
  if (wanted === null) return await call(downloadLicence, input)
  let last: OutputOf<typeof downloadLicence> | undefined
  const { keySystem } = wanted
  const kept = await keepLicence(wanted, async (challenge) => {
    last = await call(downloadLicence, { ...input, keySystem, challenge: base64Of(challenge) })
    return bytesOf(last.licence ?? '')
  })
  if (last === undefined) throw new DownloadSetupError('no licence parameter')
  return { ...last, kept }
}

/**
 * Returns the times of a new licence. Clear media has no licence and does not expire.
 *
 * @param now the service's time in milliseconds. If undefined, the clocks are compared at the next visit
 * @param device the device's time at the same moment, in milliseconds
 */
function timesOf(
  licence: { expiresAt: number; playSeconds: number } | null,
  now: number | undefined,
  device: number,
): LicenceTimes {
  const times = {
    expiresAt: licence?.expiresAt ?? Number.MAX_SAFE_INTEGER,
    playSeconds: licence?.playSeconds ?? Number.MAX_SAFE_INTEGER,
    firstPlayedAt: null,
    latestAt: 0,
    aheadSeconds: 0,
  }
  return now === undefined ? times : checkedAt(times, now / 1000, device / 1000)
}

/**
 * @param freed bytes that will be deleted before the files are fetched
 * @throws NoRoomError if the missing files and the rest of the queue need more than the free space. Does nothing
 * on a device that does not report its free space.
 */
async function requireRoom(
  key: string,
  { bytes, folders }: Pick<Download, 'bytes' | 'folders'>,
  freed: number,
): Promise<void> {
  const reported = await downloadFiles().bytesLeft()
  const left = reported === undefined ? undefined : reported + freed
  const queued = bytesQueued(await listDownloads(), key)
  // Stored files are counted only if this can matter, because listing thousands of files takes seconds.
  if (left === undefined || left >= bytes + queued) return
  const files = filesOf(folders)
  const missing = await missingFiles(files)
  if (left < (bytes * missing.length) / files.length + queued) throw new NoRoomError()
}

import { releaseDownload } from '@ondine/contract/downloads'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import type { DownloadChoice } from '../../../modals/modal-kinds.ts'
import { serviceNow } from '../../ground/clock/browser-clock.ts'
import { deviceNow } from '../../ground/clock/device-clock.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'
import { tellChange } from './changes.ts'
import {
  type Download,
  downloadKey,
  haveOneLicence,
  haveSameFolders,
  isResumable,
  isRunning,
  type KeptLicence,
  ownFolders,
  stateOf,
} from './download.ts'
import { failureOf, UnfinishedRemovalError } from './failure.ts'
import { deleteLicence } from './kept-licence.ts'
import { askChoice, askFiles, prepareDownload, type WantedDownload } from './prepare-download.ts'
import { continueDownloads } from './run-downloads.ts'
import { explain } from './show-failure.ts'
import {
  activeProfile,
  addDownload,
  changeDownload,
  deleteDownload,
  findDownload,
  listDownloads,
  deviceKey as readDeviceKey,
} from './store.ts'
import { deleteMedia, deleteOwnFiles } from './stored-files.ts'
import { pointOf, toBase64url } from './unseal.ts'

/** Prefix of the name of the lock that a tab holds while it prepares a download. The download's key follows. */
const PREPARATION = 'ondine-download '

/** Prepares a download as {@link prepare} does. Shows the download error modal on failure (A8.3-14). */
export async function requestDownload(wanted: WantedDownload): Promise<void> {
  try {
    await withParentalCode(async (proof) => await prepare(wanted, proof))
  } catch (error) {
    await explain(error, wanted.asset.title)
  }
}

/** A prepared download, and the choice with which it was requested. The service may have delivered other languages. */
interface Prepared {
  download: Download
  /** Undefined if the download existed already, and the viewer was not asked. */
  choice: DownloadChoice | undefined
}

/**
 * Prepares a download: stores its manifest, picture and keys on the device, and puts it in the queue. Does not change
 * an existing download, but first completes its removal if that was interrupted. If several tabs request the same
 * download, the first request wins.
 *
 * @returns null if the viewer cancelled the choice
 * @throws UnfinishedRemovalError if the download is still being removed
 */
export async function prepare(
  wanted: WantedDownload,
  parentalProof: string | undefined,
): Promise<Prepared | null> {
  const key = downloadKey(wanted.profileId, wanted.asset.idAsset)
  const known = await findDownload(key)
  if (known?.state === 'REMOVING') {
    if (!(await removeDownload(key))) throw new UnfinishedRemovalError()
  } else if (known !== undefined) return { download: known, choice: wanted.choice }
  const choice = wanted.choice ?? (await askChoice(wanted, parentalProof))
  if (choice === null) return null
  const download = await prepareOnce(key, wanted, choice, parentalProof)
  tellChange()
  continueDownloads().catch(reportFault)
  return { download, choice }
}

/**
 * Prepares and stores a download, or returns the download that another tab has stored meanwhile. The lock prevents
 * two tabs from preparing the same download: they could choose different qualities, whose files have the same
 * names.
 */
async function prepareOnce(
  key: string,
  wanted: WantedDownload,
  choice: DownloadChoice,
  proof: string | undefined,
): Promise<Download> {
  return await navigator.locks.request(PREPARATION + key, async () => {
    const known = await findDownload(key)
    if (known !== undefined) return known
    try {
      const download = await prepareDownload(key, wanted, choice, proof)
      await addDownload(download)
      return download
    } catch (error) {
      // A tab with an earlier version of the application does not use the lock, and may have stored the title
      // meanwhile.
      const other = await findDownload(key)
      if (other !== undefined) return other
      await deleteOwnFiles(key)
      // Preparation requests the licence last. The service has possibly issued the licence before the device failed
      // to store it, so the licence is released. The viewer does not wait for this call.
      releasePlace({ key, accountId: wanted.account.id, assetId: wanted.asset.idAsset }).catch(reportFault)
      throw error
    }
  })
}

/** The fields of a download that identify its licence. */
type Licensed = Pick<Download, 'key' | 'accountId' | 'assetId'>

/**
 * Releases the licence of a download that failed, so that it does not count towards the account's limits. Does
 * nothing if another profile has the title.
 */
async function releasePlace(failed: Licensed): Promise<void> {
  if (!isNeeded(failed, await listDownloads())) await giveUp(failed.assetId)
}

/** Returns whether another profile on this device needs the licence of a download. */
function isNeeded(download: Licensed, all: readonly Download[]): boolean {
  return all.some((other) => other.key !== download.key && haveOneLicence(other, download))
}

/** Stops a download. The fetched files stay on the device. */
export async function stopDownload(key: string): Promise<void> {
  await changeDownload(key, ({ state }) => (isRunning(state) ? { state: 'STOPPED' } : undefined))
  tellChange()
}

/**
 * Resumes a download that was stopped, has failed, or has an unknown state. If the service refused the files, the
 * download is renewed, because the title may have new files.
 */
export async function resumeDownload(download: Download): Promise<void> {
  if (download.failure === 'refused' && isResumable(stateOf(download))) {
    await renewDownload(download)
    return
  }
  await changeDownload(download.key, (known) =>
    isResumable(stateOf(known)) ? { state: 'QUEUED', failure: null } : undefined,
  )
  tellChange()
  continueDownloads().catch(reportFault)
}

/**
 * Renews the licence of an expired or failed download. If files are missing, the download continues. If the title
 * has new media, the download begins again (`RESTARTING`). Shows the download error modal on failure.
 */
export async function renewDownload(download: Download): Promise<void> {
  const { key, title } = download
  try {
    const files = await withParentalCode(async (proof) => await askFiles(key, download, proof, download))
    if (files === null) return
    const isSame = haveSameFolders(files, download)
    const isWhole = stateOf(download) === 'COMPLETED' && isSame
    const state = isWhole ? 'COMPLETED' : isSame ? 'QUEUED' : 'RESTARTING'
    const renewed = await changeDownload(key, (known) =>
      known.state === 'REMOVING' ? undefined : { ...files, state, failure: null },
    )
    if (renewed === undefined || renewed.state === 'REMOVING') {
      await discardRenewal(download, files.kept)
      return
    }
    if (download.kept !== undefined) await forget(download.kept)
    tellChange()
    if (!isWhole) continueDownloads().catch(reportFault)
  } catch (error) {
    await explain(error, title)
  }
}

/**
 * Deletes what a renewal has stored for a download that the viewer has removed meanwhile, and releases the new licence.
 * The removal has possibly ended before the renewal stored anything.
 */
async function discardRenewal(removed: Licensed, kept: KeptLicence | undefined): Promise<void> {
  if (kept !== undefined) await forget(kept)
  await navigator.locks.request(PREPARATION + removed.key, async () => {
    const known = await findDownload(removed.key)
    // If the viewer has requested the title again, its files and its licence belong to the new download.
    if (known !== undefined && known.state !== 'REMOVING') return
    await deleteOwnFiles(removed.key)
    await releasePlace(removed)
  })
}

/** Removals that this page has begun, by the keys of the downloads. */
const removals = new Map<string, Promise<boolean>>()

/**
 * Removes a download and its files, and releases its licence. Keeps files that a download of another profile
 * needs. If the service does not release the licence, the download stays in the state `REMOVING`. The open page then
 * tries again after growing pauses, and so does the next visit (`removeEnded`). Joins a removal in progress.
 *
 * @returns whether the download is removed
 */
export async function removeDownload(key: string): Promise<boolean> {
  const removal = removals.get(key) ?? removeOnce(key).finally(() => removals.delete(key))
  removals.set(key, removal)
  return await removal
}

async function removeOnce(key: string): Promise<boolean> {
  const removed = await changeDownload(key, () => ({ state: 'REMOVING' }))
  if (removed === undefined) return true
  tellChange()
  const all = await listDownloads()
  await deleteMedia(ownFolders(removed, all))
  await deleteOwnFiles(key)
  if (removed.kept !== undefined) await forget(removed.kept)
  if (!isNeeded(removed, all) && !(await release(removed))) {
    tryAgainLater(removed)
    return false
  }
  failures.delete(key)
  await deleteDownload(key)
  tellChange()
  return true
}

/** Pauses before the next attempts of a removal, in ms. Later attempts are left to `removeEnded`. */
const REMOVAL_PAUSES_MS = [5000, 15_000, 60_000, 300_000, 900_000]

/** How often the removal of a download has failed in this page, by its key. */
const failures = new Map<string, number>()

/** Tries a removal again after a pause. Only while its profile is active, because the service answers that profile. */
function tryAgainLater({ key, profileId }: Download): void {
  const count = failures.get(key) ?? 0
  failures.set(key, count + 1)
  const pause = REMOVAL_PAUSES_MS[count]
  if (pause === undefined) return
  const tryAgain = async () => {
    const isRemoving = (await findDownload(key))?.state === 'REMOVING'
    if (isRemoving && (await activeProfile()) === profileId) await removeDownload(key)
  }
  setTimeout(() => void tryAgain().catch(reportFault), pause)
}

/** Deletes a DRM provider's licence. If the decryption module fails, the licence stays there until it expires. */
async function forget(kept: KeptLicence): Promise<void> {
  try {
    await deleteLicence(kept)
  } catch (error) {
    reportFault(error)
  }
}

/** HTTP status of calls without a valid sign-in. */
const SIGNED_OUT = 401

/** Releases the licence of a download at the service. Returns false if the release must be repeated later. */
async function release({ assetId, licence, times }: Download): Promise<boolean> {
  // The limits of the account do not count licences that have expired. The device's clock may be set back.
  const now = Math.max(serviceNow() / 1000, deviceNow() / 1000 + times.aheadSeconds)
  const hasExpired = times.expiresAt <= now
  return licence === null || hasExpired || (await giveUp(assetId))
}

/**
 * Tells the service that this device no longer has the licence of a title. Returns false if the call must be repeated
 * later.
 */
async function giveUp(assetId: number): Promise<boolean> {
  try {
    const deviceKey = toBase64url(await pointOf(await readDeviceKey()))
    await call(releaseDownload, { idAsset: assetId, deviceKey })
    return true
  } catch (error) {
    // After a sign-out, the call is repeated when the profile is active again.
    const isSignedOut = error instanceof ApiError && error.status === SIGNED_OUT
    return !isSignedOut && failureOf(error) !== 'later'
  }
}

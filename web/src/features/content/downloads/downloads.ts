import { releaseDownload } from '@ondine/contract/downloads'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { deviceNow } from '../../ground/clock/device-clock.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'
import { tellChange } from './changes.ts'
import { type Download, downloadKey, filesOf, haveOneLicence, isRunning, stateOf } from './download.ts'
import { failureOf } from './failure.ts'
import { offlineMedia } from './offline-address.ts'
import { askFiles, prepareDownload, type WantedDownload } from './prepare-download.ts'
import { continueDownloads } from './run-downloads.ts'
import { explain } from './show-failure.ts'
import {
  changeDownload,
  deleteDownload,
  findDownload,
  listDownloads,
  putDownload,
  deviceKey as readDeviceKey,
} from './store.ts'
import { deleteOwnFiles, openFiles } from './stored-files.ts'
import { pointOf, toBase64url } from './unseal.ts'

/**
 * Prepares a download: stores its manifest, picture and keys on the device, and puts it in the queue. Shows the
 * download error modal on failure (A8.3-14). An existing download is not changed.
 *
 * @returns the new or existing download; null if the viewer cancelled, or on failure
 */
export async function requestDownload(wanted: WantedDownload): Promise<Download | null> {
  const key = downloadKey(wanted.profileId, wanted.asset.idAsset)
  try {
    const known = await findDownload(key)
    if (known !== undefined) return known
    const download = await withParentalCode(async (proof) => await prepareDownload(key, wanted, proof))
    if (download === null) return null
    await putDownload(download)
    tellChange()
    continueDownloads().catch(reportFault)
    return download
  } catch (error) {
    await deleteOwnFiles(key)
    await explain(error, wanted.asset.title)
    return null
  }
}

/** Stops a download. The fetched files stay on the device. */
export async function stopDownload(key: string): Promise<void> {
  await changeDownload(key, ({ state }) => (isRunning(state) ? { state: 'STOPPED' } : undefined))
  tellChange()
}

/**
 * Resumes a download that was stopped or has failed. If the service no longer had its files, the download is renewed,
 * because the title may have other files now.
 */
export async function resumeDownload(download: Download): Promise<void> {
  if (stateOf(download) === 'FAILED' && download.failure === 'refused') {
    await renewDownload(download)
    return
  }
  await changeDownload(download.key, (known) => {
    const state = stateOf(known)
    return state === 'STOPPED' || state === 'FAILED' ? { state: 'QUEUED', failure: null } : undefined
  })
  tellChange()
  continueDownloads().catch(reportFault)
}

/**
 * Renews the licence of an expired or failed download. A download with missing files goes on, or begins again
 * (`RESTARTING`) if the title's media was replaced. Shows the download error modal on failure.
 */
export async function renewDownload(download: Download): Promise<void> {
  const { key, title, folders } = download
  try {
    const files = await withParentalCode(async (proof) => await askFiles(key, download, proof))
    if (files === null) return
    const isSame = JSON.stringify(files.folders) === JSON.stringify(folders)
    const isWhole = stateOf(download) === 'COMPLETED' && isSame
    const state = isWhole ? 'COMPLETED' : isSame ? 'QUEUED' : 'RESTARTING'
    await changeDownload(key, (known) =>
      known.state === 'REMOVING' ? undefined : { ...files, state, failure: null },
    )
    tellChange()
    if (!isWhole) continueDownloads().catch(reportFault)
  } catch (error) {
    await explain(error, title)
  }
}

/**
 * Removes a download with its files, except files that a download of another profile needs, and gives up its licence.
 * Without a connection, the download stays in the state `REMOVING`, and the next visit gives up the licence
 * (`removeEnded`).
 */
export async function removeDownload(key: string): Promise<void> {
  const removed = await changeDownload(key, () => ({ state: 'REMOVING' }))
  if (removed === undefined) return
  tellChange()
  const others = (await listDownloads()).filter((other) => other.key !== key)
  const needed = new Set(others.flatMap(({ folders }) => folders.map(({ address }) => address)))
  const unneeded = removed.folders.filter(({ address }) => !needed.has(address))
  const cache = await openFiles()
  for (const file of filesOf(unneeded)) await cache.delete(offlineMedia(file))
  await deleteOwnFiles(key)
  const isHeld = others.some((other) => haveOneLicence(other, removed))
  if (!isHeld && !(await release(removed))) return
  await deleteDownload(key)
  tellChange()
}

/** Status of calls without a valid sign-in. */
const SIGNED_OUT = 401

/** Gives up the licence of a download. Returns whether the service knows it now, or does not need to. */
async function release({ assetId, licence, times }: Download): Promise<boolean> {
  // The limits of the account do not count licences that have expired.
  const hasExpired = times.expiresAt <= deviceNow() / 1000 + times.aheadSeconds
  if (licence === null || hasExpired) return true
  try {
    const deviceKey = toBase64url(await pointOf(await readDeviceKey()))
    await call(releaseDownload, { idAsset: assetId, deviceKey })
    return true
  } catch (error) {
    // After a sign-out, the place of the account waits until its profile is active again.
    const isSignedOut = error instanceof ApiError && error.status === SIGNED_OUT
    return !isSignedOut && failureOf(error) !== 'later'
  }
}

import { session } from '@ondine/contract/accounts'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { confirmedNow } from '../../ground/clock/browser-clock.ts'
import { deviceNow } from '../../ground/clock/device-clock.ts'
import { askAsset } from './ask-asset.ts'
import { tellChange } from './changes.ts'
import { DOWNLOAD_CODES } from './codes.ts'
import { checkedAt, type Download, isCheckDue } from './download.ts'
import { removeDownload } from './downloads.ts'
import { failureOf } from './failure.ts'
import { changeDownload, listDownloads } from './store.ts'

/**
 * Error codes that mean that the right to a title has ended, or that the title is no longer available. The codes
 * of a suspended account are left out, because the account may be restored.
 */
const ENDED: ReadonlySet<number> = new Set([
  DOWNLOAD_CODES.noViewingRights,
  DOWNLOAD_CODES.notFound,
  DOWNLOAD_CODES.resourceNotActive,
])

/**
 * Removes a profile's downloads whose right has ended, and completes interrupted removals. Needs a connection,
 * because the service checks the rights. Stops if another profile has become active, because the service then
 * answers about that profile.
 */
export async function removeEnded(profileId: number): Promise<void> {
  const own = (await listDownloads()).filter((download) => download.profileId === profileId)
  for (const { key, state } of own) if (state === 'REMOVING') await removeDownload(key)
  for (const download of own.filter(({ state }) => state !== 'REMOVING')) {
    const { key, times } = download
    // The page's time can be days old, and would end the playing time of a download that was played since.
    const confirmed = await confirmedNow()
    if (confirmed === undefined) return
    const now = confirmed / 1000
    const device = deviceNow() / 1000
    if (!isCheckDue(times, now, device)) continue
    const ended = await hasEnded(download)
    if (ended === true) {
      if (!(await isActive(profileId))) return
      await removeDownload(key)
    }
    if (ended === false) {
      await changeDownload(key, (known) => ({ times: checkedAt(known.times, now, device) }))
      tellChange()
    }
  }
}

/** Returns whether the right to a download has ended; undefined if the service does not answer. */
async function hasEnded(download: Download): Promise<boolean | undefined> {
  try {
    await askAsset(download, undefined)
    return false
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return failureOf(error) === 'later' ? undefined : ENDED.has(error.code)
  }
}

/**
 * Asks the service whether a profile is active. The page's own session data is not enough: this tab or another
 * may have changed the profile since the last question. Returns false if the service does not answer.
 */
async function isActive(profileId: number): Promise<boolean> {
  try {
    return (await call(session, {})).profile?.id === profileId
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return false
  }
}

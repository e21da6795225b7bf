import { exchangePositions, MOST_POSITIONS } from '@ondine/contract/downloads'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { confirmedNow } from '../../ground/clock/browser-clock.ts'
import { deviceNow } from '../../ground/clock/device-clock.ts'
import { tellChange } from './changes.ts'
import type { Download } from './download.ts'
import { changeDownload, listDownloads } from './store.ts'

/**
 * Tells the service where a profile stopped watching its downloads without a connection, and takes over newer
 * positions of its other devices. Without an answer, the next visit tries again.
 *
 * @returns whether the service has learnt a position
 */
export async function exchangeOwnPositions(profileId: number): Promise<boolean> {
  const own = (await listDownloads())
    .filter((download) => download.profileId === profileId)
    // If there are too many downloads for one call, the plays of this device come first.
    .toSorted((one, other) => (other.unsentSince ?? 0) - (one.unsentSince ?? 0))
    .slice(0, MOST_POSITIONS)
  const confirmed = own.length > 0 ? await confirmedNow() : undefined
  if (confirmed === undefined) return false
  const ahead = (confirmed - deviceNow()) / 1000
  try {
    const known = await call(exchangePositions, {
      idProfile: profileId,
      positions: own.map((download) => toTell(download, ahead)),
    })
    const seconds = new Map(known.map((position) => [position.idAsset, position.seconds]))
    for (const download of own) await takeOver(download, seconds.get(download.assetId))
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
  tellChange()
  return own.some(({ unsentSince }) => unsentSince !== undefined)
}

/** @param ahead how far the service's clock is ahead of the device's clock, in seconds */
function toTell({ assetId, position, unsentSince }: Download, ahead: number) {
  const isUnsent = position !== undefined && unsentSince !== undefined
  return {
    idAsset: assetId,
    ...(isUnsent && { played: { seconds: position, at: Math.max(0, unsentSince + ahead) } }),
  }
}

/** Stores the service's position, unless the viewer has watched the download meanwhile. */
async function takeOver({ key, unsentSince }: Download, seconds: number | undefined): Promise<void> {
  await changeDownload(key, (known) =>
    known.unsentSince === unsentSince
      ? { position: seconds ?? known.position, unsentSince: undefined }
      : undefined,
  )
}

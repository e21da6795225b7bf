import type { Asset } from '@ondine/contract/entities'
import { deviceNow } from '../../ground/clock/device-clock.ts'
import { tellChange } from './changes.ts'
import type { Download } from './download.ts'
import { exchangeOwnPositions } from './exchange-positions.ts'
import { changeDownload } from './store.ts'

/** Returns how far the viewer has watched a download, in the fields of an asset. */
export function watchedOf({
  durationSeconds,
  position = 0,
}: Pick<Download, 'durationSeconds' | 'position'>): Pick<
  Asset,
  'alreadyWatchedInPercent' | 'seekTime' | 'durationInSeconds'
> {
  const alreadyWatchedInPercent = durationSeconds > 0 ? (position * 100) / durationSeconds : 0
  return { alreadyWatchedInPercent, seekTime: position, durationInSeconds: durationSeconds }
}

/**
 * Stores where the viewer is in a download, for the next play and for the service (`exchangePositions`). Does nothing
 * if the download is no longer on this device.
 *
 * @param position in seconds
 * @param isLeaving whether the viewer leaves the player. The lists of downloads are then told of the position, and
 * with a connection, the service
 */
export async function keepPosition(key: string, position: number, isLeaving: boolean): Promise<void> {
  const download = await changeDownload(key, () => ({ position, unsentSince: deviceNow() / 1000 }))
  if (!isLeaving) return
  tellChange()
  if (download !== undefined && navigator.onLine) await exchangeOwnPositions(download.profileId)
}

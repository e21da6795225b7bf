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
 * Stores a position in seconds. `isLeaving` says that the viewer leaves the player. The lists of downloads are then told
 * of the position, and with a connection, the service.
 */
type PositionKeeper = (position: number, isLeaving: boolean) => Promise<void>

/**
 * Returns a function that stores where the viewer is during one play of a download, for the next play and for the
 * service (`exchangePositions`). It stores nothing if the download is no longer on this device. A repeated position
 * keeps its time: during a long pause, the viewer may have watched the title on another device.
 */
export function positionKeeper(key: string): PositionKeeper {
  let last: number | undefined
  return async (position, isLeaving) => {
    const download = await changeDownload(key, () =>
      position === last ? undefined : { position, unsentSince: deviceNow() / 1000 },
    )
    last = position
    if (!isLeaving) return
    tellChange()
    if (download !== undefined && navigator.onLine) await exchangeOwnPositions(download.profileId)
  }
}

import type { Asset } from '@ondine/contract/entities'
import { isFinished } from '../catalogue/playing.ts'
import { tellChange } from './changes.ts'
import type { Download } from './download.ts'
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
 * Stores where the viewer is in a download, and forgets it in a download that was watched almost to its end
 * (V4-49). Does nothing if the download is no longer on this device.
 *
 * @param position in seconds
 * @param isLeaving whether the viewer leaves the player. The lists of downloads are then told of the position
 */
export async function keepPosition(key: string, position: number, isLeaving: boolean): Promise<void> {
  await changeDownload(key, ({ durationSeconds }) => ({
    position: isFinished(watchedOf({ durationSeconds, position })) ? undefined : position,
  }))
  if (isLeaving) tellChange()
}

import { deviceNow } from '../../ground/clock/device-clock.ts'
import { seenAt } from './download.ts'
import { changeDownload, listDownloads } from './store.ts'

/**
 * Stores the current time with each download. After the end of a licence, setting the clock back then does not
 * make the download playable again.
 */
export async function rememberTime(): Promise<void> {
  const now = Math.floor(deviceNow() / 1000)
  for (const { key } of await listDownloads())
    await changeDownload(key, ({ times }) => ({ times: seenAt(times, now) }))
}

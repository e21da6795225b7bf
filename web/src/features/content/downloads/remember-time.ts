import { deviceNow } from '../../ground/clock/device-clock.ts'
import { seenAt } from './download.ts'
import { changeDownload, listDownloads } from './store.ts'

/** Stores for all downloads how late it is. A licence whose end was shown is then not played by setting the clock back. */
export async function rememberTime(): Promise<void> {
  const now = Math.floor(deviceNow() / 1000)
  for (const { key } of await listDownloads())
    await changeDownload(key, ({ times }) => ({ times: seenAt(times, now) }))
}
